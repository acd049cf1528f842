import { LINE_BYTES } from "../lower/cache.js";
import { STREAMED_RUN_BYTES } from "../lower/cost.js";
import type { Emitter } from "../lower/emitter.js";
import { COLUMNS, LONG_RUNS, wholeLines, type StreamingPlan } from "../lower/streaming.js";
import type { Pair } from "./pair.js";

const HALF_LINES: StreamingPlan = { streaming: { what: "columns", halves: true }, alignmentBytes: LINE_BYTES / 2 };

/** How an ordered pair may be stored past the cache, by whole lines of the target or by halves; undefined where nothing is gained by it. */
export function streamingOfPair(e: Emitter, pair: Pair): StreamingPlan | undefined {
  const leaves = leavesOf(pair);
  const allAre = (kind: Pair["kind"]): boolean => leaves.every((leaf) => leaf.kind === kind);
  if (fills(LINE_BYTES, pair)) return allAre("transposed") ? COLUMNS : allAre("run") ? wholeLines(e) : undefined;
  if (fills(LINE_BYTES / 2, pair) && leaves.every(isTurnedByHalves)) return HALF_LINES;
  return leaves.every((leaf) => leaf.kind === "run" && leaf.lengthBytes >= STREAMED_RUN_BYTES) ? LONG_RUNS : undefined;
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
const isTurnedByHalves = (leaf: Pair): boolean => leaf.kind === "transposed" && leaf.elementBytes >= 4;

/** Whether pieces of the target, of so many bytes, are written whole where the pair's own begin at one. */
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
