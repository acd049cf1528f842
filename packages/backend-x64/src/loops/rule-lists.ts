import type { Blocks, LayoutNode, Stream } from "@stowage/ir";
import { MOST_IMMEDIATE } from "../widths.js";
import { isMostlyLong } from "./facts/large-elements.js";
import { mergedBlocks } from "./facts/merged-blocks.js";
import { isPlain, unrolledMoves } from "./facts/nodes.js";
import { nopsBehind } from "./facts/padding.js";
import { LEAST_BLOCKS, permutedBlocksOf } from "./facts/permuted-blocks.js";
import { MOVES_PER_ROUND } from "./facts/rounds.js";
import { peeledRounds, wantedBy } from "./facts/slack.js";
import { widestMoveOf, type LoopContext } from "./loop-context.js";
import {
  NOTHING_WANTED,
  type LengthPlan,
  type NodePlan,
  type OutOfCachePlan,
  type RunsPlan,
  type StreamPlan,
  type UnrolledPlan,
  type WalkPlan,
  type WantedSlack,
} from "./plans.js";
import {
  choose,
  type Choice,
  type Loop,
  type OutOfCacheRule,
  type PassedRule,
  type Rule,
  type StreamRule,
  type WalkedBlocks,
} from "./rule.js";
import { nonTemporalLines } from "./rules/lengths/non-temporal-lines.js";
import { alignedStores } from "./rules/lengths/aligned-stores.js";
import { repMovsb } from "./rules/lengths/rep-movsb.js";
import { rounds } from "./rules/lengths/rounds.js";
import { writtenOut } from "./rules/lengths/written-out.js";
import { called } from "./rules/nodes/called.js";
import { inlined } from "./rules/nodes/inlined.js";
import { unrolled } from "./rules/nodes/unrolled.js";
import { vectors } from "./rules/nodes/vectors.js";
import { longRuns } from "./rules/out-of-cache/long-runs.js";
import { nonTemporalColumns } from "./rules/out-of-cache/non-temporal-columns.js";
import { nonTemporalRuns } from "./rules/out-of-cache/non-temporal-runs.js";
import { paddedBlocks } from "./rules/out-of-cache/padded-blocks.js";
import { clampedMoves } from "./rules/runs/clamped-moves.js";
import { headAndTail } from "./rules/runs/head-and-tail.js";
import { maskedRuns } from "./rules/runs/masked-runs.js";
import { runByRun } from "./rules/runs/run-by-run.js";
import { doubleWords } from "./rules/streams/double-words.js";
import { fencedStores } from "./rules/streams/fenced-stores.js";
import { mergedStores } from "./rules/streams/merged-stores.js";
import { nearBlocks } from "./rules/streams/near-blocks.js";
import { nopPadding } from "./rules/streams/nop-padding.js";
import { oneByOne } from "./rules/streams/one-by-one.js";
import { pageByPage } from "./rules/streams/page-by-page.js";
import { permutedBlocks } from "./rules/streams/permuted-blocks.js";
import { singleBlocks } from "./rules/streams/single-blocks.js";
import { transposedColumns } from "./rules/streams/transposed-columns.js";
import { mergedEntries } from "./rules/walks/merged-entries.js";
import { nestedEntries } from "./rules/walks/nested-entries.js";
import { singleEntries } from "./rules/walks/single-entries.js";
import { sortedEntries } from "./rules/walks/sorted-entries.js";

/** In the order in which they are asked; the last one always gives a plan. */
export const NODE_RULES: readonly Rule<LayoutNode, NodePlan>[] = [vectors, unrolled, inlined, called];

const RUN: Choice<NodePlan> = { rule: "run", passed: [], plan: { what: "inlined" } };

/** How all of a node is written where it stands. */
export const planNode = (context: LoopContext, node: LayoutNode): Choice<NodePlan> =>
  node.kind === "dense" ? RUN : choose(NODE_RULES, context, node);

/** In the order in which they are asked; the last one always gives rounds. */
export const STREAM_RULES: readonly StreamRule[] = [
  transposedColumns,
  permutedBlocks,
  nearBlocks,
  fencedStores,
  pageByPage,
  nopPadding,
  oneByOne,
  mergedStores,
  doubleWords,
  singleBlocks,
];

/** How the children of a loop are moved, by the first rule that gives rounds. */
export function planStream(context: LoopContext, loop: Loop): StreamPlan {
  const { rule, passed, plan: rounds } = choose(STREAM_RULES, context, loop);
  const { child, strideBytes } = loop.node;
  const wanted = wantedByRound(context, loop);
  return {
    rule,
    passed,
    rounds,
    wanted,
    peeled: peeledRounds(wanted, strideBytes, child.sizeBytes),
    nops: nopsBehind(context, loop.node),
    loopsRest: unrolledMoves(child, widestMoveOf(context), MOVES_PER_ROUND) > MOVES_PER_ROUND,
    isPlain: isPlain(child),
  };
}

/** Bytes that a round would over-copy: none where it puts its blocks together in registers. */
const wantedByRound = (context: LoopContext, { node, most }: Loop): WantedSlack =>
  mergedBlocks(context, node.child) === undefined &&
  (most < LEAST_BLOCKS || permutedBlocksOf(context, node.child, node.strideBytes) === undefined)
    ? wantedBy(context, node)
    : NOTHING_WANTED;

export const unrolledPlanOf = (context: LoopContext, node: Stream): UnrolledPlan => ({
  together: mergedBlocks(context, node.child),
  nops: nopsBehind(context, node),
});

/** In the order in which they are asked; the last one always gives a plan. */
export const WALK_RULES: readonly Rule<WalkedBlocks, WalkPlan>[] = [
  sortedEntries,
  mergedEntries,
  singleEntries,
  nestedEntries,
];

/** How the blocks of a table are moved. */
export const planWalk = (context: LoopContext, blocks: WalkedBlocks): Choice<WalkPlan> =>
  choose(WALK_RULES, context, blocks);

/** In the order in which they are asked, of blocks of varying length; the last one always gives a plan. */
export const RUNS_RULES: readonly Rule<Blocks, RunsPlan>[] = [maskedRuns, headAndTail, clampedMoves, runByRun];

/** How runs of varying length are moved. */
export const planRuns = (context: LoopContext, node: Blocks): Choice<RunsPlan> => choose(RUNS_RULES, context, node);

/** In the order in which they are asked, of a length in bytes; the last one always gives a plan. */
export const LENGTH_RULES: readonly Rule<number, LengthPlan>[] = [
  writtenOut,
  nonTemporalLines,
  repMovsb,
  alignedStores,
  rounds,
];

/** How a run of constant length is moved. */
export const planLength = (context: LoopContext, lengthBytes: number): Choice<LengthPlan> =>
  choose(LENGTH_RULES, context, lengthBytes);

/**
 * In the order in which they are asked: the best first, each whose plan is there taken where the target is aligned for
 * it.
 */
export const OUT_OF_CACHE_RULES: readonly OutOfCacheRule[] = [
  nonTemporalColumns,
  nonTemporalRuns,
  longRuns,
  paddedBlocks,
];

/** What full packs that the caches do not hold are moved by, and why not otherwise. */
export interface OutOfCacheChoice {
  /** The best first; none where nothing is gained. */
  readonly plans: readonly (OutOfCachePlan & { readonly rule: string })[];
  readonly passed: readonly PassedRule[];
}

const NONE: OutOfCacheChoice = {
  plans: [],
  passed: [{ rule: "mode out of cache", reason: "nonTemporalBytes is off" }],
};

/** `perElement`: children of `stream` in one element. */
export function chooseOutOfCache(context: LoopContext, stream: Stream, perElement: number): OutOfCacheChoice {
  if (!(context.tuning.nonTemporalBytes <= MOST_IMMEDIATE)) return NONE;
  let known: boolean | undefined;
  const elements = {
    stream,
    sizeBytes: stream.child.sizeBytes * perElement,
    isMostlyLong: () => (known ??= isMostlyLong(stream)),
  };
  const plans: OutOfCacheChoice["plans"][number][] = [];
  const passed: PassedRule[] = [];
  for (const { name, plan, isEnough } of OUT_OF_CACHE_RULES) {
    const found = plan(context, elements);
    if (typeof found === "string") passed.push({ rule: name, reason: found });
    else plans.push({ ...found, rule: name });
    if (typeof found !== "string" && isEnough === true) break;
  }
  return { plans, passed };
}
