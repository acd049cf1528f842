import { LONG_RUNS } from "../../../loops/facts/large-elements.js";
import { NON_TEMPORAL_RUN_BYTES } from "../../../loops/facts/lengths.js";
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
