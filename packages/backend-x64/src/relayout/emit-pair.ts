import { emitDense } from "../lower/dense.js";
import { at, type Emitter, type Offsets } from "../lower/emitter.js";
import { emitTransposed } from "../lower/transposed.js";
import { emitOverlaps, emitWalk } from "./emit-walk.js";
import type { LoopOfPairs, PairPlan } from "./pair-plan.js";

/** All of a pair, whose source and target zeroes lie at `offsets`. */
export function emitPair(e: Emitter, pair: PairPlan, offsets: Offsets): void {
  switch (pair.kind) {
    case "run":
      // The limits are the run's own: a target is never written past it.
      return emitDense(e, pair.lengthBytes, offsets, offsets);
    case "loop":
      return emitLoop(e, pair, offsets);
    case "walk":
      return emitWalk(e, pair, offsets, () => emitPair(e, pair.child, at(0, 0)));
    case "overlaps":
      return emitOverlaps(e, pair, offsets);
    case "members":
      for (const { sourceBytes, targetBytes, pair: member } of pair.members)
        emitPair(e, member, at(offsets.s + sourceBytes, offsets.p + targetBytes));
      return;
    case "nest":
      return emitPair(e, pair.pair, offsets);
    case "transposed":
      return emitTransposed(e, pair.transposed, offsets, pair.plan);
  }
}

function emitLoop(
  e: Emitter,
  { count, sourceBytes, targetBytes, child, perRound, rounds, isPlain }: LoopOfPairs,
  offsets: Offsets,
): void {
  const emitChildren = (from: number, to: number): void => {
    for (let i = from; i < to; i++) emitPair(e, child, at(offsets.s + i * sourceBytes, offsets.p + i * targetBytes));
  };
  if (rounds > 0)
    e.repeat(rounds, at(perRound * sourceBytes, perRound * targetBytes), isPlain, () => emitChildren(0, perRound));
  emitChildren(rounds * perRound, count);
}
