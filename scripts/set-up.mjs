// What README's two commands do first: install where the lock file is newer than the last installation, then build.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function step(what, command, args) {
  console.error(`stowage: ${what}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) {
    console.error(`stowage: ${what}: ${command} ${args.join(" ")} ended with status ${status}`);
    process.exit(1);
  }
}

const installed = join(root, "node_modules", ".package-lock.json");
const locked = join(root, "package-lock.json");
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(locked).mtimeMs) {
  step("installing packages", "npm", ["ci", "--no-progress", "--loglevel=error"]);
}
step("removing what no source makes", process.execPath, [join("scripts", "stale-outputs.mjs")]);
step("building", process.execPath, [join("node_modules", "typescript-7", "bin", "tsc"), "-b"]);
step("making the explorer's page", process.execPath, [join("packages", "explorer", "build.mjs")]);
