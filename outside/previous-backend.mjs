// A backend as someone published it before the newest backend-api: compiled against the previous one, and packed with
// the copies of it and of ir that its range asks for.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const previous = join(dirname(fileURLToPath(import.meta.url)), "previous");
const OURS = ["@stowage/backend-api", "@stowage/ir"];

const MANIFEST = {
  name: "previous-backend",
  version: "1.0.0",
  type: "module",
  exports: "./own-backend.js",
  files: ["own-backend.js", "own-backend.d.ts"],
  dependencies: Object.fromEntries(OURS.map((name) => [name, "*"])),
  bundleDependencies: OURS,
};

const COMPILE = ["--target", "es2022", "--lib", "es2023,esnext.disposable", "--module", "nodenext", "--strict"];

/** Packs the backend into a folder, with a compiler; the tarball's name. */
export function packPreviousBackend(folder, compiler) {
  const project = join(folder, "previous-backend");
  for (const tarball of readdirSync(previous).filter((name) => name.endsWith(".tgz"))) {
    const place = join(
      project,
      "node_modules",
      OURS.find((name) => tarball.startsWith(name.slice(1).replace("/", "-"))),
    );
    mkdirSync(place, { recursive: true });
    execFileSync("tar", ["-xzf", join(previous, tarball), "-C", place, "--strip-components=1"]);
  }
  writeFileSync(join(project, "package.json"), JSON.stringify(MANIFEST));
  copyFileSync(join(previous, "own-backend.ts"), join(project, "own-backend.ts"));
  execFileSync(process.execPath, [compiler, ...COMPILE, "--declaration", "own-backend.ts"], { cwd: project });
  return execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: project,
    encoding: "utf8",
  }).trim();
}
