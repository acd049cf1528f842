import type { Conditions, Profile } from "@stowage/backend-api";
import type { FeatureLevel } from "./feature-level.js";
import { PLAIN, type Behaviour } from "./targets/behaviour.js";
import type { Target } from "./targets/target.js";
import { nonTemporalBytesOf, prefetchReachBytesOf } from "./targets/thresholds.js";
import { unknown } from "./targets/unknown.js";

/** Options of the backend and of the code that it writes; each default is a measured one (docs/design/x64.md). */
export interface X64Options {
  /**
   * The processor whose caches and behaviour code is written for. Default: this machine's, as its family's description
   * and cpuid have it.
   */
  readonly target?: Target;
  /** The level to write code for, which the machine must run where the code is loaded. Default: the machine's own. */
  readonly level?: FeatureLevel;
  /** The most block moves that are written out one by one instead of in a loop. */
  readonly unrollMoves?: number;
  /**
   * Packed bytes of a full pack from which columns, long runs and aligned runs take non-temporal stores. Infinity:
   * never.
   */
  readonly nonTemporalBytes?: number;
  /**
   * How many runs of varying length the branch history is taken to hold, so that branches on their lengths are
   * predicted; 0: none. Default: 4096 on Zen 4 and 5, else 256.
   */
  readonly branchHistoryRuns?: number;
  /**
   * Bytes of a run from which it is copied by REP MOVSB, unless it takes non-temporal stores. Infinity: never. Default:
   * 4096 on Zen 5, where such runs take 0.7 to 1.0 of the time, 12,288 on Golden Cove, where they take 0.8 to 1.1; else
   * never.
   */
  readonly repMovsbBytes?: number;
  /**
   * Bytes of a run from which unpacking copies it by REP MOVSB, where that is less than `repMovsbBytes`. Default: 2048
   * on Zen 5 unless `repMovsbBytes` is given; else never.
   */
  readonly repMovsbUnpackedBytes?: number;
  /**
   * Whether the packed bytes are in memory that ranks on other cores write or read at once, as messages are: on Zen 5
   * REP MOVSB copies runs of 1 KiB already, unless `repMovsbBytes` is given. Default: false.
   */
  readonly betweenCores?: boolean;
  /**
   * Bytes of a run from which its stores each keep to a line of the target. Infinity: never. Default: 1024 on Zen 5 and
   * Golden Cove, where such runs take 0.3 to 0.9 of the time; else never.
   */
  readonly alignedStoresBytes?: number;
  /** How many entries ahead a loop over a table, or over a sparse stride, prefetches; 0: none. */
  readonly prefetchEntries?: number;
  /**
   * Whether a sparse stride prefetches ahead blocks that lie in L2 too. Default: not on Zen 5, where it takes 1.2 to
   * 1.7 times as long.
   */
  readonly prefetchL2?: boolean;
  /** Whether rounds of loops over short blocks far apart are as long as suits the hardware prefetchers. */
  readonly longRounds?: boolean;
  /**
   * Whether rounds over blocks of a vector that lie near each other are long too. Default: on Zen 5, where they take
   * 0.6 to 1.0 of the time.
   */
  readonly longRoundsInL2?: boolean;
  /**
   * Whether loops that pack columns with set conflicts in L1d have NOP padding. Default: on Zen 4 and 5, up to twice as
   * fast.
   */
  readonly paddedConflicts?: boolean;
  /**
   * Whether loops that unpack such columns have fences. Default: on Zen 4, up to twice as fast; Zen 5 gains nothing,
   * and on Intel's processors they take up to five times as long by them.
   */
  readonly fencedConflicts?: boolean;
  /**
   * Whether loops that unpack columns with set conflicts in L1d have NOP padding. Default: on Zen 5, two to three times
   * as fast.
   */
  readonly paddedStores?: boolean;
  /**
   * Whether full packs of `nonTemporalBytes` and more have NOP padding between short blocks, so that outstanding misses
   * do not exceed the fill buffers. Default: on Zen 4; Zen 5 and Intel's processors lose by it.
   */
  readonly paddedBlocks?: boolean;
  /**
   * Whether smaller full packs have such padding too, with rounds of one block, where their short blocks lie in more
   * pages than the dTLB reaches. Default: true.
   */
  readonly paddedPages?: boolean;
  /**
   * Bytes apart from which blocks are that are unpacked so. Default: 6 KiB on processors that are described; elsewhere
   * 32 KiB, for on a Zen 3 nearer ones take up to 1.4 times as long.
   */
  readonly paddedPageStoresBytes?: number;
  /** The least reach in bytes over which loops prefetch. */
  readonly prefetchReachBytes?: number;
  /**
   * Bytes of reach from which a table that is unpacked often enough is walked in the order of addresses, whatever the
   * caches. Default: where the caches gain by it.
   */
  readonly sortReachBytes?: number;
  /**
   * Whether moves are written that fault on addresses that are not aligned, where the conditions promise that all are.
   */
  readonly alignedMoves?: boolean;
  /** Whether runs of varying length are unpacked each by a mask of its length, at AVX-512. */
  readonly maskedRuns?: boolean;
  /**
   * Whether short blocks that lie near each other are moved together: by permutations at AVX-512, packed by blends and
   * shuffles at AVX2.
   */
  readonly permutedBlocks?: boolean;
  /**
   * The packed bytes of a launch from which the threads that the conditions name share it. Infinity: never. Default: as
   * the cost model finds for each layout.
   */
  readonly threadsFromBytes?: number;
  /**
   * Whether artifacts hold frames, which programs in C give to unwinders: backtraces then go through the code. Default:
   * false, for finding them takes time.
   */
  readonly frames?: boolean;
  /** Gives the measured figures of the machine; called when a cost is first predicted. Default: the shipped ones. */
  readonly profile?: () => Profile;
}

/** The options that decide which code is written, all of them given. */
export type Tuning = Required<Omit<X64Options, "level" | "threadsFromBytes" | "frames" | "profile" | "betweenCores">>;

/** What suits every processor. */
const COMMON = {
  unrollMoves: 48,
  prefetchEntries: 16,
  longRounds: true,
  paddedPages: true,
  sortReachBytes: Infinity,
  alignedMoves: false,
  maskedRuns: true,
  permutedBlocks: true,
} as const satisfies X64Options;

/** Shorter pieces evict too little to matter. */
export const LEAST_NON_TEMPORAL_BYTES = 16 * 1024;

/**
 * A tuning for the conditions' hint. Non-temporal stores that are asked for exclude what only suits large full packs.
 */
export function hinted(tuning: Tuning, { stores }: Conditions): Tuning {
  if (stores === undefined) return tuning;
  if (stores === "temporal") return { ...tuning, nonTemporalBytes: Infinity };
  return {
    ...tuning,
    nonTemporalBytes: Math.min(tuning.nonTemporalBytes, LEAST_NON_TEMPORAL_BYTES),
    paddedBlocks: false,
  };
}

/** What of a tuning holds in one direction: runs that are unpacked may have a threshold of their own. */
export const tuningFor = (direction: "pack" | "unpack", tuning: Tuning): Tuning =>
  direction === "unpack" && tuning.repMovsbUnpackedBytes < tuning.repMovsbBytes
    ? { ...tuning, repMovsbBytes: tuning.repMovsbUnpackedBytes }
    : tuning;

/**
 * The options; where they are silent what suits a processor, and where its description is silent what calibration
 * answered.
 */
export function tuningOf(
  {
    level: _,
    threadsFromBytes: _threads,
    frames: _frames,
    profile: _profile,
    betweenCores = false,
    ...options
  }: X64Options,
  processor: Target,
  answers: Partial<Behaviour> = {},
): Tuning {
  const { target = processor } = options;
  const behaviour = { ...PLAIN, ...answers, ...target.behaviour };
  const byTarget = {
    target,
    nonTemporalBytes: nonTemporalBytesOf(target),
    prefetchReachBytes: prefetchReachBytesOf(target),
    paddedConflicts: behaviour.paddingLimitsConflicts,
    fencedConflicts: behaviour.fencesLimitConflicts,
    paddedStores: behaviour.paddingLimitsStoreConflicts,
    paddedBlocks: behaviour.retriesMisses,
    branchHistoryRuns: behaviour.branchHistoryRuns,
    repMovsbBytes: betweenCores ? behaviour.repMovsbBetweenCoresBytes : behaviour.repMovsbBytes,
    repMovsbUnpackedBytes: options.repMovsbBytes ?? behaviour.repMovsbUnpackedBytes,
    alignedStoresBytes: behaviour.alignedStoresBytes,
    paddedPageStoresBytes: behaviour.paddedPageStoresBytes,
    prefetchL2: behaviour.prefetchesL2,
    longRoundsInL2: behaviour.longRoundsInL2,
  };
  return Object.freeze({ ...COMMON, ...byTarget, ...options });
}

/** The tuning for a processor that nobody has described. */
export const DEFAULT_TUNING: Tuning = tuningOf({}, unknown);
