// Everything that must hold before a commit lands, cheapest first. Each step's own output says what failed.
import { spawnSync } from "node:child_process";

const steps = [
  ["types", "npx", ["tsc", "-p", "tsconfig.lint.json"]],
  ["project graph", "npx", ["nx", "show", "projects"]], // the boundary rule of lint reads it
  ["lint", "npx", ["eslint", "."]],
  ["tests", "npx", ["vitest", "run"]],
];

for (const [name, command, args] of steps) {
  console.log(`stowage: ${name}`);
  const { status } = spawnSync(command, args, { stdio: "inherit", env: { ...process.env, NX_DAEMON: "false" } });
  if (status !== 0) {
    console.error(`stowage: ${name} failed`);
    process.exit(1);
  }
}
