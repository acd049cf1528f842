import { LINE_BYTES } from "../lower/cache.js";
import { STREAMED_RUN_BYTES } from "../lower/cost.js";
import type { Emitter } from "../lower/emitter.js";
import type { StreamingPlan } from "../lower/streaming.js";
import type { Pair } from "./pair.js";

const COLUMNS: StreamingPlan = { streaming: { what: "columns" }, alignmentBytes: LINE_BYTES };
const LONG_RUNS: StreamingPlan = { streaming: { what: "long runs" }, alignmentBytes: 1 };

/** How an ordered pair may be stored past the cache, by whole lines of the target; undefined where nothing is gained by it. */
export function streamingOfPair(e: Emitter, pair: Pair): StreamingPlan | undefined {
  const leaves = leavesOf(pair);
  const allAre = (kind: Pair["kind"]): boolean => leaves.every((leaf) => leaf.kind === kind);
  if (fillsLines(pair)) return allAre("transposed") ? COLUMNS : allAre("run") ? runs(e) : undefined;
  return leaves.every((leaf) => leaf.kind === "run" && leaf.lengthBytes >= STREAMED_RUN_BYTES) ? LONG_RUNS : undefined;
}

const runs = (e: Emitter): StreamingPlan => ({
  streaming: { what: "runs", width: Math.min(e.isa.widest, 32) as 16 | 32, assembled: false },
  alignmentBytes: LINE_BYTES,
});

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

const isWhole = (bytes: number): boolean => bytes % LINE_BYTES === 0;

/** Whether lines of the target are written whole where the pair's own begin at one. */
function fillsLines(pair: Pair): boolean {
  switch (pair.kind) {
    case "run":
      return isWhole(pair.lengthBytes);
    case "loop":
      return isWhole(pair.targetBytes) && fillsLines(pair.child);
    case "walk":
      return pair.displacementsBytes.every((bytes, i) => i % 2 === 0 || isWhole(bytes)) && fillsLines(pair.child);
    case "members":
      return pair.members.every((member) => isWhole(member.targetBytes) && fillsLines(member.pair));
    case "transposed":
      return isWhole(pair.rows * pair.elementBytes) && isWhole(pair.columnStrideBytes);
    case "overlaps":
      return false;
  }
}
