// Removes from every dist/ what the compiler makes no more: the compiler never deletes, and a tarball packs all of
// dist/.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const OUTPUT = /(\.d\.ts|\.js)$/;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

function removeStale(folder) {
  const dist = join(folder, "dist");
  if (!existsSync(dist)) return;
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())) {
    const output = join(entry.parentPath, entry.name);
    const source = output.replace(dist, join(folder, "src")).replace(OUTPUT, ".ts");
    if (output.endsWith(".map") || (OUTPUT.test(output) && !existsSync(source))) rmSync(output);
  }
}

for (const name of readdirSync(join(root, "packages"))) removeStale(join(root, "packages", name));
