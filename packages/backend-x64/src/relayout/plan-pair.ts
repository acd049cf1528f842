import { chunksOf, NO_SLACK } from "../loops/chunks.js";
import { isShortLength } from "../loops/facts/lengths.js";
import { copyOrder, planTranspose } from "../loops/facts/transposes.js";
import { widestMoveOf, type LoopContext } from "../loops/loop-context.js";
import { isPlainPair, movesOf, overlapsPerRound, perRound } from "./facts/rounds.js";
import type { LoopOfPairs, OverlapsOfPairs, PairPlan, TableMoves, WalkOfPairs } from "./pair-plan.js";
import type { Loop, Overlaps, Pair, Walk } from "./pair.js";

/** How an ordered pair is moved in the mode of `context`. */
export function planPair(context: LoopContext, pair: Pair): PairPlan {
  switch (pair.kind) {
    case "run":
      return pair;
    case "loop":
      return planLoop(context, pair);
    case "walk":
      return planWalk(context, pair);
    case "overlaps":
      return planOverlaps(context, pair);
    case "members":
      return {
        kind: "members",
        members: pair.members.map((member) => ({ ...member, pair: planPair(context, member.pair) })),
      };
    case "nest":
      return { ...pair, pair: planPair(context, pair.pair) };
    case "transposed": {
      const order = copyOrder(context, pair);
      return { kind: "transposed", transposed: pair, plan: planTranspose(context, pair, order) };
    }
  }
}

function planLoop(context: LoopContext, pair: Loop): LoopOfPairs {
  const { count, child } = pair;
  const moves = movesOf(child, context.isa.widest);
  const isUnrolled = count * moves <= context.tuning.unrollMoves;
  const children = perRound(moves);
  return {
    ...pair,
    child: planPair(context, child),
    perRound: children,
    rounds: isUnrolled ? 0 : Math.floor(count / children),
    isPlain: isPlainPair(child),
  };
}

function planWalk(context: LoopContext, { displacementsBytes, child }: Walk): WalkOfPairs {
  const isShort = child.kind === "run" && isShortLength(child.lengthBytes, context.isa.widest);
  const moves = isShort ? runMoves(context, child.lengthBytes) : undefined;
  return { kind: "walk", displacementsBytes, child: planPair(context, child), moves };
}

function runMoves(context: LoopContext, lengthBytes: number): TableMoves {
  const chunks = chunksOf(lengthBytes, widestMoveOf(context), NO_SLACK);
  return { chunks, perRound: perRound(chunks.length) };
}

function planOverlaps(context: LoopContext, { widthBytes, displacementsBytes }: Overlaps): OverlapsOfPairs {
  const chunks = chunksOf(widthBytes, widestMoveOf(context), NO_SLACK);
  return { kind: "overlaps", displacementsBytes, moves: { chunks, perRound: overlapsPerRound(chunks.length) } };
}
