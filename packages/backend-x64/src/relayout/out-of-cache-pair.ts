import { LINE_BYTES } from "../loops/cache.js";
import { LONG_RUNS, NON_TEMPORAL_RUN_BYTES } from "../loops/rules/out-of-cache/long-runs.js";
import { COLUMNS } from "../loops/rules/out-of-cache/non-temporal-columns.js";
import { wholeLines } from "../loops/rules/out-of-cache/non-temporal-runs.js";
import type { LoopContext } from "../loops/loop-context.js";
import type { OutOfCachePlan } from "../loops/out-of-cache-rule.js";
import type { Pair } from "./pair.js";

const HALF_LINES: OutOfCachePlan = { outOfCache: { what: "columns", halves: true }, alignmentBytes: LINE_BYTES / 2 };

/** The out-of-cache plan of an ordered pair, by full lines of the target or by half lines; undefined where nothing is gained. */
export function outOfCachePlanOf(context: LoopContext, pair: Pair): OutOfCachePlan | undefined {
  const leaves = leavesOf(pair);
  const allAre = (kind: Pair["kind"]): boolean => leaves.every((leaf) => leaf.kind === kind);
  if (fills(LINE_BYTES, pair)) return allAre("transposed") ? COLUMNS : allAre("run") ? wholeLines(context) : undefined;
  if (fills(LINE_BYTES / 2, pair) && leaves.every(isTransposedByHalves)) return HALF_LINES;
  return leaves.every((leaf) => leaf.kind === "run" && leaf.lengthBytes >= NON_TEMPORAL_RUN_BYTES)
    ? LONG_RUNS
    : undefined;
}

function leavesOf(pair: Pair): readonly Pair[] {
  switch (pair.kind) {
    case "loop":
    case "walk":
      return leavesOf(pair.child);
    case "members":
      return pair.members.flatMap((member) => leavesOf(member.pair));
    case "run":
    case "overlaps":
    case "transposed":
      return [pair];
  }
}

/** Shorter elements take more columns at once than a processor combines writes for. */
const isTransposedByHalves = (leaf: Pair): boolean => leaf.kind === "transposed" && leaf.elementBytes >= 4;

/** Whether the pair writes full pieces of so many bytes of the target, if its own start is at the start of one. */
function fills(bytes: number, pair: Pair): boolean {
  const isWhole = (distance: number): boolean => distance % bytes === 0;
  switch (pair.kind) {
    case "run":
      return isWhole(pair.lengthBytes);
    case "loop":
      return isWhole(pair.targetBytes) && fills(bytes, pair.child);
    case "walk":
      return (
        pair.displacementsBytes.every((displacement, i) => i % 2 === 0 || isWhole(displacement)) &&
        fills(bytes, pair.child)
      );
    case "members":
      return pair.members.every((member) => isWhole(member.targetBytes) && fills(bytes, member.pair));
    case "transposed":
      return isWhole(pair.rows * pair.elementBytes) && isWhole(pair.columnStrideBytes);
    case "overlaps":
      return false;
  }
}
