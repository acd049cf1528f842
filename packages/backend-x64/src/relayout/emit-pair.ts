import { LINE_BYTES, linesThatFit } from "../loops/cache.js";
import { LEAST_COPIED_BYTES } from "../loops/rules/lengths/rep-movsb.js";
import { isShortLength } from "../loops/rules/lengths/written-out.js";
import { emitDense } from "../lower/dense.js";
import { at, type Emitter, type Offsets } from "../lower/emitter.js";
import type { Width } from "../lower/isa.js";
import { emitTransposed } from "../lower/transposed.js";
import { planTranspose } from "../loops/rules/transposes/tiles.js";
import { outOfCacheOrder } from "../loops/rules/transposes/transpose-order.js";
import type { TransposeOrder } from "../loops/transpose-plan.js";
import { emitOverlaps, emitWalk } from "./emit-walk.js";
import type { Loop, Pair, TransposedPair } from "./pair.js";

const MOVES_PER_ROUND = 8;

/** All of a pair, whose source and target zeroes lie at `offsets`. */
export function emitPair(e: Emitter, pair: Pair, offsets: Offsets): void {
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
    case "transposed":
      return emitTransposed(e, pair, offsets, planTranspose(e.isa.widest, pair, orderOf(e, pair)));
  }
}

const orderOf = (e: Emitter, pair: TransposedPair): TransposeOrder =>
  outOfCacheOrder(e.outOfCache, pair.elementBytes) ?? cachedOrder(pair);

/** A line of each column, of no more rows than L1d holds. */
const cachedOrder = ({ elementBytes, rowStrideBytes }: TransposedPair): TransposeOrder => ({
  rowsAtOnce: Math.min(LINE_BYTES / elementBytes, linesThatFit(rowStrideBytes)),
});

/** Moves of a pair that is written out; Infinity where it holds a loop of its own. */
export function movesOf(pair: Pair, widest: number): number {
  switch (pair.kind) {
    case "run": {
      const moves = Math.ceil(pair.lengthBytes / widest);
      return isShortLength(pair.lengthBytes, widest as Width) ? moves : Infinity;
    }
    case "loop":
      return pair.count * movesOf(pair.child, widest);
    case "members":
      return pair.members.reduce((sum, member) => sum + movesOf(member.pair, widest), 0);
    case "walk":
    case "overlaps":
    case "transposed":
      return Infinity;
  }
}

/** Whether the code of a pair leaves the loop counters alone. */
export function isPlainPair(pair: Pair): boolean {
  switch (pair.kind) {
    case "run":
      return pair.lengthBytes < LEAST_COPIED_BYTES;
    case "loop":
      return isPlainPair(pair.child);
    case "members":
      return pair.members.every((member) => isPlainPair(member.pair));
    case "walk":
    case "overlaps":
      return false;
    case "transposed":
      return true;
  }
}

function emitLoop(e: Emitter, { count, sourceBytes, targetBytes, child }: Loop, offsets: Offsets): void {
  const moves = movesOf(child, e.isa.widest);
  const emitChildren = (from: number, to: number): void => {
    for (let i = from; i < to; i++) emitPair(e, child, at(offsets.s + i * sourceBytes, offsets.p + i * targetBytes));
  };
  if (count * moves <= e.tuning.unrollMoves) return emitChildren(0, count);
  const perRound = moves > MOVES_PER_ROUND / 2 ? 1 : 2 ** Math.floor(Math.log2(MOVES_PER_ROUND / moves));
  const rounds = Math.floor(count / perRound);
  if (rounds > 0) {
    e.repeat(rounds, at(perRound * sourceBytes, perRound * targetBytes), isPlainPair(child), () =>
      emitChildren(0, perRound),
    );
  }
  emitChildren(rounds * perRound, count);
}
