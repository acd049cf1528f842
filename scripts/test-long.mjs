// Every test at full length, those under tests/long too, with the tools that they need. What a run of all of them
// prints is kept in docs/notes/test-long.log, which is committed; arguments name the paths of a shorter run.
import { spawn, spawnSync } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const log = join(root, "docs", "notes", "test-long.log");

const setUp = spawnSync(process.execPath, [join(root, "scripts", "set-up-long.mjs")], { stdio: "inherit" });
if (setUp.status !== 0) process.exit(1);

const filters = process.argv.slice(2);
const goOnWith = (command, words, environment = {}) => {
  const env = { ...process.env, ...environment };
  const { status } = spawnSync(command, words, { cwd: root, stdio: "inherit", env });
  if (status !== 0) process.exit(1);
};
if (filters.length === 0) {
  // All packages in a dry run; npm test releases one.
  goOnWith(join(root, "node_modules", ".bin", "nx"), ["release", "--dry-run", "--skip-publish"]);
  // The laws on a backend of a stranger's own at the length that strangers have.
  goOnWith(process.execPath, [join("outside", "run.mjs")], { STOWAGE_LAW_RUNS: "2000" });
}
mkdirSync(dirname(log), { recursive: true });
const kept = createWriteStream(filters.length === 0 ? log : "/dev/null");
const say = (text) => {
  process.stdout.write(text);
  kept.write(text);
};

const commit = spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).stdout.trim();
say(`npm run test:long ${filters.join(" ")}\n${new Date().toISOString()}, commit ${commit}, Node ${process.version}\n`);
say(`${cpus()[0].model}, ${cpus().length} cores\n`);

const args = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "--silent=passed-only", ...filters];
const env = { ...process.env, STOWAGE_TESTS: "long", NO_COLOR: "1" };
const tests = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
const relative = (text) => text.toString().replaceAll(`${root}/`, "").replaceAll(root, ".");
tests.stdout.on("data", (text) => say(relative(text)));
tests.stderr.on("data", (text) => say(relative(text)));
tests.on("close", (status) => kept.end(() => process.exit(status ?? 1)));
