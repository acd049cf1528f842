// Everything that must hold before a commit lands, cheapest first. Each step's own output says what failed. With
// --times, where the processors' time went is listed at the end.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Times } from "./times/times.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const STEPS = [
  ["set-up", ["node", "scripts/set-up.mjs"]],
  ["format", ["oxfmt", "--list-different"]],
  ["format of C", ["node", "scripts/c-format.mjs"]],
  ["written sources", ["node", "scripts/cpu-kernels.mjs"]],
  ["project graph", ["nx", "show", "projects"]], // the boundary rule of lint reads it
  ["types and lint", ["oxlint", "-c", "oxlint.config.mjs"]],
  ["import circles", ["node", "scripts/import-circles.mjs"]],
  ["manifests and licenses", ["node", "scripts/manifests.mjs"]],
  ["figures of the documents", ["node", "scripts/overhead-figures.mjs"]],
  ["MPIs of the documents", ["node", "scripts/mpi-matrix.mjs"]],
  ["links of the documents", ["node", "scripts/document-links.mjs"]],
  ["counts in the documents", ["node", "scripts/document-counts.mjs"]],
  ["form of the documents", ["node", "scripts/document-form.mjs"]],
  ["unused exports and dependencies", ["knip", "--no-config-hints"]],
  ["public surfaces", ["node", "scripts/api-reports.mjs"]],
  ["a release of a package, in a dry run", ["nx", "release", "--dry-run", "--skip-publish", "--projects=stowage"]],
  ["MPIs to test with", ["node", "scripts/set-up-mpi.mjs"]],
  ["warnings of C", ["node", "scripts/c-warnings.mjs"]],
  ["tests", ["vitest", "run"]],
  ["outside use", ["node", "outside/run.mjs"]],
  ["recipes", ["node", "outside/recipes.mjs"]],
  ["the first hour", ["node", "outside/first-hour.mjs"]],
];

const files = join(root, "tmp", "test-times.tsv");
const times = process.argv.includes("--times") ? new Times(files) : undefined;
const env = { ...process.env, NX_DAEMON: "false" };
/** Recipes run copies of tests, which write no lines. */
const envOf = (name) => (times === undefined || name !== "tests" ? env : { ...env, STOWAGE_TIMES: files });

/** A program of node_modules is started as it is: npx takes half a second to find it. */
function run(name, [command, ...args]) {
  const file = command === "node" ? process.execPath : join(root, "node_modules", ".bin", command);
  return spawnSync(file, args, { cwd: root, stdio: "inherit", env: envOf(name) }).status;
}

for (const [name, words] of STEPS) {
  console.log(`stowage: ${name}`);
  const status = times === undefined ? run(name, words) : times.step(name, () => run(name, words));
  if (status !== 0) {
    console.error(`stowage: ${name}: expected to pass, ended with status ${status}`);
    process.exit(1);
  }
}
times?.print();
