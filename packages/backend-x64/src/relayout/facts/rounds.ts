import { isShortLength, LEAST_COPIED_BYTES } from "../../loops/facts/lengths.js";
import type { Width } from "../../widths.js";
import type { Pair } from "../pair.js";

/** Moves of a round: enough to hide the counting. */
const MOVES_A_ROUND = 8;
/** Moves and table entries that a run of varying length takes beside each other. */
const MOVES_OF_OVERLAP = 4;

/** How many of so many moves each are moved in a round, a power of two. */
export const perRound = (moves: number): number =>
  moves > MOVES_A_ROUND / 2 ? 1 : 2 ** Math.floor(Math.log2(MOVES_A_ROUND / moves));

/** How many runs of varying length, whose head and tail are of so many moves, are moved in a round. */
export const overlapsPerRound = (moves: number): number => Math.max(1, MOVES_A_ROUND / MOVES_OF_OVERLAP / moves);

/** Moves of a pair that is written out; Infinity where it holds a loop of its own. */
export function movesOf(pair: Pair, widest: Width): number {
  switch (pair.kind) {
    case "run":
      return isShortLength(pair.lengthBytes, widest) ? Math.ceil(pair.lengthBytes / widest) : Infinity;
    case "loop":
      return pair.count * movesOf(pair.child, widest);
    case "members":
      return pair.members.reduce((sum, member) => sum + movesOf(member.pair, widest), 0);
    case "nest":
      return movesOf(pair.pair, widest);
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
    case "nest":
      return isPlainPair(pair.pair);
    case "walk":
    case "overlaps":
      return false;
    case "transposed":
      return true;
  }
}
