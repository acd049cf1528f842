import { unrolledMoves } from "./cost.js";
import { widestMoveOf, type LoopContext } from "./loop-context.js";
import { mergedBlocks } from "./merged-blocks.js";
import { nopsBehind } from "./padding.js";
import { LEAST_BLOCKS, permutedBlocksOf } from "./permuted-blocks.js";
import { doubleWords } from "./rules/double-words.js";
import { fencedStores } from "./rules/fenced-stores.js";
import { mergedStores } from "./rules/merged-stores.js";
import { nearBlocks } from "./rules/near-blocks.js";
import { nopPadding } from "./rules/nop-padding.js";
import { oneByOne } from "./rules/one-by-one.js";
import { pageByPage } from "./rules/page-by-page.js";
import { permutedBlocks } from "./rules/permuted-blocks.js";
import { singleBlocks } from "./rules/single-blocks.js";
import { transposedColumns } from "./rules/transposed-columns.js";
import { MOVES_PER_ROUND } from "./single-rounds.js";
import { NOTHING_WANTED, peeledRounds, wantedBy, type WantedSlack } from "./slack.js";
import type { Round, StreamPlan } from "./stream-plan.js";
import type { Loop, StreamRule } from "./stream-rule.js";

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
export const planStream = (context: LoopContext, loop: Loop): StreamPlan => planFrom(context, loop, 0, []);

function planFrom(context: LoopContext, loop: Loop, first: number, passedBefore: readonly string[]): StreamPlan {
  const passed = [...passedBefore];
  for (let i = first; i < STREAM_RULES.length; i++) {
    const rule = STREAM_RULES[i] as StreamRule;
    const rounds = rule.plan(context, loop);
    if (typeof rounds === "string") passed.push(rounds);
    else return planned(context, loop, rule, rounds, passed, i);
  }
  throw new RangeError(`rules of a stream: expected one that fires, got none of ${STREAM_RULES.length}`);
}

const NO_REGISTER = "no register is left for its constants";

function planned(
  context: LoopContext,
  loop: Loop,
  { name }: StreamRule,
  rounds: readonly Round[],
  passed: readonly string[],
  index: number,
): StreamPlan {
  const { child, strideBytes } = loop.node;
  const wanted = wantedByRound(context, loop);
  const needsRegisters = rounds[0]?.what === "permuted blocks";
  return {
    rule: name,
    passed,
    rounds,
    wanted,
    peeled: peeledRounds(wanted, strideBytes, child.sizeBytes),
    nops: nopsBehind(context, loop.node),
    loopsRest: unrolledMoves(child, widestMoveOf(context), MOVES_PER_ROUND) > MOVES_PER_ROUND,
    ...(needsRegisters ? { otherwise: planFrom(context, loop, index + 1, [...passed, NO_REGISTER]) } : {}),
  };
}

/** Bytes that a round would over-copy: none where it puts its blocks together in registers. */
const wantedByRound = (context: LoopContext, { node, most }: Loop): WantedSlack =>
  mergedBlocks(context, node.child) === undefined &&
  (most < LEAST_BLOCKS || permutedBlocksOf(context, node.child, node.strideBytes) === undefined)
    ? wantedBy(context, node)
    : NOTHING_WANTED;
