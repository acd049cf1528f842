import type { FeatureLevel } from "../feature-level.js";
import type { Tuning } from "../options.js";
import type { Width } from "../widths.js";
import type { Constants } from "./facts/constants.js";
import type { NearRounds } from "./facts/near-rounds.js";
import type { ReadableGaps } from "./facts/readable-gaps.js";
import type { OutOfCache } from "./plans.js";

/** What loops are planned for. */
export interface LoopContext {
  readonly direction: "pack" | "unpack";
  readonly isa: { readonly level: FeatureLevel; readonly widest: 16 | 32 | 64 };
  readonly tuning: Tuning;
  /** Calls that are expected of the code; 0: nobody knows. */
  readonly expectedCalls: number;
  /** What is done for full packs that the caches do not hold; undefined: nothing. */
  readonly outOfCache: OutOfCache | undefined;
  /** Registers that plans take for what no move changes. */
  readonly constants: Constants;
  readonly nearRounds: NearRounds;
  readonly readableGaps: ReadableGaps;
}

/** Width of non-temporal stores, where every run takes them; it divides each run and the target's address. */
export const nonTemporalWidthOf = ({ outOfCache }: Pick<LoopContext, "outOfCache">): 8 | 16 | 32 | undefined =>
  outOfCache?.what === "runs" ? outOfCache.width : undefined;

/** The widest move of a run. */
export const widestMoveOf = (context: Pick<LoopContext, "outOfCache" | "isa">): Width =>
  nonTemporalWidthOf(context) ?? context.isa.widest;
