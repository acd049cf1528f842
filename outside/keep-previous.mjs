// Keeps what is released now as "previous": run it before a release of backend-api, `node outside/keep-previous.mjs`.
// The tarballs lie here rather than in a registry, so that the test of what older backends need asks no network.
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const previous = join(here, "previous");
for (const name of readdirSync(previous)) if (name.endsWith(".tgz")) rmSync(join(previous, name));
execFileSync(process.execPath, [join(root, "scripts", "stage-packages.mjs")], { stdio: "inherit" });
const staged = ["ir", "backend-api"].map((name) => join(root, "tmp", "packages", name));
execFileSync("npm", ["pack", ...staged, "--pack-destination", previous], { stdio: "inherit" });
copyFileSync(join(here, "project", "own-backend.ts"), join(previous, "own-backend.ts"));
