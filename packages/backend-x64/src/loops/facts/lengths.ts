import type { LayoutNode } from "@stowage/ir";
import { MOST_IMMEDIATE, YMM_BYTES, type Width } from "../../widths.js";
import { nonTemporalWidthOf, type LoopContext } from "../loop-context.js";
import { COPIED, type AnyLengthPlan, type LengthPlan } from "../plans.js";
import { hasMasks } from "./vector-levels.js";

/** Most moves of a run that are written out without a loop. Loops of 1, 2, 4 or 8 moves differ by nothing. */
const MOST_MOVES = 16;

export const isShortLength = (lengthBytes: number, widest: Width): boolean => lengthBytes <= MOST_MOVES * widest;

export const isShortRun = (node: LayoutNode, widest: Width): boolean =>
  node.kind === "dense" && isShortLength(node.lengthBytes, widest);

/** The copy takes the loop counters, which the loops around a shorter run keep in registers. */
export const LEAST_COPIED_BYTES = 1024;

/** The copy of a run-time length for a run of `leastBytes` and more, from which the processor gains; Infinity: none. */
export function copiedFrom(context: LoopContext, lengthBytes: number, leastBytes: number): LengthPlan | string {
  if (nonTemporalWidthOf(context) !== undefined) return "the run takes non-temporal stores";
  const least = Math.max(LEAST_COPIED_BYTES, leastBytes);
  return lengthBytes >= least ? COPIED : "a run too short for it, or no processor that gains";
}

/**
 * Runs from which the full lines inside take non-temporal stores, whatever the alignment of their ends: at 16 MiB those
 * of 13 to 73 KiB take them 1.2 to 1.6 times as fast, those of 1.9 KiB 1.0, those of 1 KiB 0.7 to 0.9.
 */
export const NON_TEMPORAL_RUN_BYTES = 1536;

/** Moves of the longest head, and of the longest tail. */
const LONGEST_PAIR = 4;
/** Bytes of the shortest head. */
const SHORTEST_PAIR_BYTES = 2;
/** Moves, and lines of non-temporal stores, of a round: more differ by nothing. */
const MOVES_A_ROUND = 4;
const LINES_A_ROUND = 2;

/**
 * A run of a run-time length: two moves that overlap cover any length from their width to twice that, so that no byte
 * outside is touched and few branches depend on the length. At AVX-512 less than a vector goes by one mask.
 */
export function anyLengthPlanOf({ isa, tuning }: LoopContext): AnyLengthPlan {
  const { nonTemporalBytes, repMovsbBytes, alignedStoresBytes } = tuning;
  const byMask = hasMasks(isa.level) && tuning.maskedRuns;
  return {
    pairsBytes: powersDown(LONGEST_PAIR * isa.widest, byMask ? isa.widest : SHORTEST_PAIR_BYTES),
    byMask,
    roundMoves: MOVES_A_ROUND,
    nonTemporal: {
      fromBytes: NON_TEMPORAL_RUN_BYTES,
      widthBytes: Math.min(isa.widest, YMM_BYTES) as 16 | 32,
      linesARound: LINES_A_ROUND,
    },
    nonTemporalFromBytes:
      nonTemporalBytes <= MOST_IMMEDIATE ? Math.max(nonTemporalBytes, NON_TEMPORAL_RUN_BYTES) : undefined,
    repMovsbFromBytes: repMovsbBytes <= MOST_IMMEDIATE ? repMovsbBytes : undefined,
    alignedFromBytes: alignedStoresBytes <= MOST_IMMEDIATE ? alignedStoresBytes : undefined,
  };
}

const powersDown = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.log2(first / last) + 1 }, (_, i) => first / 2 ** i);
