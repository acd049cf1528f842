import { MOST_IMMEDIATE, YMM_BYTES } from "../../../widths.js";
import type { AnyLengthPlan } from "../../any-length-plan.js";
import type { LoopContext } from "../../loop-context.js";
import { hasMasks } from "../../vector-levels.js";
import { NON_TEMPORAL_RUN_BYTES } from "../out-of-cache/long-runs.js";

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
  const { nonTemporalBytes, repMovsbBytes } = tuning;
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
  };
}

const powersDown = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.log2(first / last) + 1 }, (_, i) => first / 2 ** i);
