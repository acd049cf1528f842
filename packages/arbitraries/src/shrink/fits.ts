import { runs, type Layout } from "@stowage/ir";
import type { Limits } from "../options.js";

/** Neighbours whose bytes may meet: a fault of overlap between elements shows in as many. */
const ELEMENTS = 4;

/** Whether a layout keeps the limits that datatypes are drawn by. */
export function fits(of: Layout, { maxSizeBytes, maxReachBytes, sparse, disjoint }: Limits): boolean {
  const reachBytes = Math.max(Math.abs(of.extentBytes), Math.abs(of.trueLowerBoundBytes), of.trueExtentBytes);
  if (of.sizeBytes > maxSizeBytes || (!sparse && reachBytes > maxReachBytes)) return false;
  return !disjoint || isApart(of);
}

/** No byte lies under two runs, within one element or between neighbours. */
function isApart(of: Layout): boolean {
  const all = [...runs(of, { count: ELEMENTS, first: 0, length: ELEMENTS * of.sizeBytes })];
  all.sort((a, b) => a.offsetBytes - b.offsetBytes);
  return all.every(({ offsetBytes }, i) => {
    const before = all[i - 1];
    return before === undefined || before.offsetBytes + before.lengthBytes <= offsetBytes;
  });
}
