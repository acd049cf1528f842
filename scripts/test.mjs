// Everything that must hold before a commit lands, cheapest first. Each step's own output says what failed.
import { spawnSync } from "node:child_process";

const STEPS = [
  ["types", ["tsc", "-p", "tsconfig.lint.json"]],
  ["format", ["prettier", "--check", "--log-level=warn", "."]],
  ["format of C", ["node", "scripts/c-format.mjs"]],
  ["written sources", ["node", "scripts/cpu-kernels.mjs"]],
  ["project graph", ["nx", "show", "projects"]], // the boundary rule of lint reads it
  ["lint", ["eslint", "."]],
  ["import circles", ["node", "scripts/import-circles.mjs"]],
  ["manifests and licenses", ["node", "scripts/manifests.mjs"]],
  ["figures of the documents", ["node", "scripts/overhead-figures.mjs"]],
  ["links of the documents", ["node", "scripts/document-links.mjs"]],
  ["unused exports and dependencies", ["knip", "--no-config-hints"]],
  ["public surfaces", ["node", "scripts/api-reports.mjs"]],
  ["a release, in a dry run", ["nx", "release", "--dry-run", "--skip-publish"]],
  ["MPIs to test with", ["node", "scripts/set-up-mpi.mjs"]],
  ["warnings of C", ["node", "scripts/c-warnings.mjs"]],
  ["tests", ["vitest", "run"]],
  ["outside use", ["node", "outside/run.mjs"]],
  ["recipes", ["node", "outside/recipes.mjs"]],
  ["the first hour", ["node", "outside/first-hour.mjs"]],
];

for (const [name, [command, ...args]] of STEPS) {
  console.log(`stowage: ${name}`);
  const [file, fileArgs] = command === "node" ? [process.execPath, args] : ["npx", [command, ...args]];
  const { status } = spawnSync(file, fileArgs, { stdio: "inherit", env: { ...process.env, NX_DAEMON: "false" } });
  if (status !== 0) {
    console.error(`stowage: ${name}: expected to pass, ended with status ${status}`);
    process.exit(1);
  }
}
