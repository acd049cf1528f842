// Every package packed as it is published, and installed in an empty folder as a stranger would.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What a program prints; its output is in the error that is thrown where it fails. */
export const run = (command, args, cwd, environment = {}) =>
  execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NX_DAEMON: "false", ...environment },
  });

export const packages = readdirSync(join(root, "packages"))
  .map((folder) => join(root, "packages", folder))
  .filter((folder) => existsSync(join(folder, "package.json")))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
  .map(({ folder, manifest }) => ({ folder, name: manifest.name, exports: manifest.exports }));

/** Packs every package into `home`; what each tarball holds. */
export function packAll(home) {
  run(process.execPath, [join(root, "scripts", "stage-packages.mjs")], root);
  const staged = packages.map(({ folder }) => join(root, "tmp", relative(root, folder)));
  return Object.values(JSON.parse(run("npm", ["pack", ...staged, "--json", "--pack-destination", home], root)));
}

/** Installs tarballs that lie in `home` there, and others' packages beside them. */
export function install(home, tarballs, others) {
  writeFileSync(join(home, "package.json"), JSON.stringify({ name: "outside", private: true, type: "module" }));
  run("npm", ["install", "--no-audit", "--no-fund", ...tarballs.map((name) => `./${name}`), ...others], home);
}
