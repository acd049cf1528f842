import { unrolledMoves } from "./unrolled-moves.js";
import { widestMoveOf, type LoopContext } from "./loop-context.js";
import { nopsBehind } from "./padding.js";
import { doubleWords } from "./rules/streams/double-words.js";
import { fencedStores } from "./rules/streams/fenced-stores.js";
import { mergedBlocks, mergedStores } from "./rules/streams/merged-stores.js";
import { nearBlocks } from "./rules/streams/near-blocks.js";
import { nopPadding } from "./rules/streams/nop-padding.js";
import { oneByOne } from "./rules/streams/one-by-one.js";
import { pageByPage } from "./rules/streams/page-by-page.js";
import { LEAST_BLOCKS, permutedBlocks, permutedBlocksOf } from "./rules/streams/permuted-blocks.js";
import { singleBlocks } from "./rules/streams/single-blocks.js";
import { transposedColumns } from "./rules/streams/transposed-columns.js";
import { isPlain } from "./rules/nodes/plain.js";
import { peeledRounds, wantedBy } from "./rules/reads/slack.js";
import { MOVES_PER_ROUND } from "./rules/streams/single-rounds.js";
import { choose } from "./rule.js";
import type { StreamPlan } from "./stream-plan.js";
import type { Loop, StreamRule } from "./stream-rule.js";
import { NOTHING_WANTED, type WantedSlack } from "./wanted-slack.js";

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
  const plan = planFrom(context, loop, 0, []);
  return plan.rounds[0]?.what === "permuted blocks" ? withoutRegisters(context, loop, plan) : plan;
}

const NO_REGISTER = "no register is left for its constants";

/** The plan, and what is done instead where its constants find no register. */
const withoutRegisters = (context: LoopContext, loop: Loop, plan: StreamPlan): StreamPlan => ({
  ...plan,
  otherwise: planFrom(context, loop, plan.passed.length + 1, [...plan.passed, NO_REGISTER]),
});

function planFrom(context: LoopContext, loop: Loop, first: number, passedBefore: readonly string[]): StreamPlan {
  const { rule, passed, plan: rounds } = choose(STREAM_RULES, context, loop, first);
  const { child, strideBytes } = loop.node;
  const wanted = wantedByRound(context, loop);
  return {
    rule,
    passed: first === 0 ? passed : [...passedBefore, ...passed],
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
