import { LONG_RUNS, NON_TEMPORAL_RUN_BYTES } from "../../../loops/rules/out-of-cache/long-runs.js";
import type { CopyModeRule } from "../../copy-mode-rule.js";
import { leavesOf } from "../../leaves.js";

/** Long runs that begin anywhere: the lines inside them by non-temporal stores. */
export const linesOfRuns: CopyModeRule = {
  name: "lines of runs",
  plan: (_, pair) =>
    leavesOf(pair).every((leaf) => leaf.kind === "run" && leaf.lengthBytes >= NON_TEMPORAL_RUN_BYTES)
      ? LONG_RUNS
      : "shorter runs, or none",
};
