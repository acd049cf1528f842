import { LINE_BYTES } from "../../../loops/facts/cache.js";
import type { OutOfCachePlan } from "../../../loops/plans.js";
import type { CopyModeRule } from "../../copy-mode-rule.js";
import { fills, leavesOf } from "../../leaves.js";
import type { Pair } from "../../pair.js";

/** Shorter elements take more columns at once than a processor combines writes for: bytes lose by it. */
const LEAST_ELEMENT_BYTES = 4;

const HALF_LINES: OutOfCachePlan = { outOfCache: { what: "columns", halves: true }, alignmentBytes: LINE_BYTES / 2 };

/**
 * Columns that begin at half lines: four at a time from the first row to the last, so that the processor combines both
 * halves.
 */
export const halfColumns: CopyModeRule = {
  name: "half columns",
  plan: (_, pair) =>
    leavesOf(pair).every(isCombined) && fills(LINE_BYTES / 2, pair)
      ? HALF_LINES
      : "no transposes into columns of half lines",
};

const isCombined = (leaf: Pair): boolean => leaf.kind === "transposed" && leaf.elementBytes >= LEAST_ELEMENT_BYTES;
