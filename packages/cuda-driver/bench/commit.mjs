// The commit of result files, as `commitHash` of packages/bench has it, which imports this package.
import { spawnSync } from "node:child_process";

const { stdout } = spawnSync("git", ["rev-parse", "--short=12", "HEAD"], {
  cwd: import.meta.dirname,
  encoding: "utf8",
});
export const commit = process.env.STOWAGE_COMMIT ?? (stdout?.trim() || "unknown");
