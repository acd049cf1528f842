import type { Conditions } from "@stowage/backend-api";
import type { FeatureLevel } from "./feature-level.js";

/** What the lowering may be told; each has a measured default (docs/x64.md). */
export interface X64Options {
  /** Emit for this level instead of the machine's own. Must be one that the machine runs. */
  readonly level?: FeatureLevel;
  /** Most block moves that are written out one by one instead of in a loop. */
  readonly unrollMoves?: number;
  /** Packed bytes of a whole from which columns, long runs and runs that keep stores aligned go past the cache. Infinity: never. */
  readonly streamingBytes?: number;
  /** Bytes from which one run is copied by rep movsb. Infinity: never. */
  readonly repMovsBytes?: number;
  /**
   * Runs of varying length up to which a processor is taken to learn each one's length, so that branches on lengths cost
   * little; 0: never. Default: 4096 on AMD's processors, else 256.
   */
  readonly learntRuns?: number;
  /** Entries that a table-driven loop prefetches ahead or a sparse stride prefetches ahead; 0: none. */
  readonly prefetchEntries?: number;
  /** Whether loops over short blocks far apart have as many in a round as suits the processor's prefetchers. */
  readonly pacedStrides?: boolean;
  /**
   * Whether loops over columns whose lines share sets of the first cache keep few of them under way: unpacking by fences,
   * packing by instructions that do nothing. Default: on AMD's processors, where it makes them up to twice as fast; on
   * Intel's fences make them up to five times as slow.
   */
  readonly fencedColumns?: boolean;
  /**
   * Whether wholes of `streamingBytes` and more have instructions that do nothing between their short blocks, so that no more
   * lines are under way than the processor fetches at once. Default: on AMD's processors; Intel's lose by it.
   */
  readonly spacedBlocks?: boolean;
  /** The same in smaller wholes whose short blocks lie in more pages than the processor keeps addresses of, and their blocks one by one. */
  readonly spacedPages?: boolean;
  /** Bytes of reach from which loops prefetch. */
  readonly prefetchReachBytes?: number;
  /** Blocks from which unpacking a table of equal blocks writes in the order of addresses. Infinity: never. */
  readonly sortBlocks?: number;
  /** Moves that fault on addresses that are not aligned, where the conditions promise that all are. */
  readonly alignedMoves?: boolean;
  /** At AVX-512, whether a mask moves a short or odd run at once instead of two moves that overlap. */
  readonly maskedTails?: boolean;
  /** At AVX-512, whether runs of varying length are unpacked each by masks of its length. */
  readonly maskedRuns?: boolean;
  /** Whether short blocks that lie near each other are moved together: by permutations at AVX-512, packed by blends and shuffles at AVX2. */
  readonly permutedBlocks?: boolean;
  /** Packed bytes of a launch from which the threads that the conditions name share it. Infinity: never. */
  readonly threadsFromBytes?: number;
}

export type Tuning = Required<Omit<X64Options, "level">>;

export const DEFAULT_TUNING: Tuning = Object.freeze({
  unrollMoves: 48,
  streamingBytes: 8 * 1024 * 1024,
  repMovsBytes: Infinity,
  learntRuns: 256,
  prefetchEntries: 16,
  pacedStrides: true,
  fencedColumns: false,
  spacedBlocks: false,
  spacedPages: true,
  prefetchReachBytes: 512 * 1024,
  sortBlocks: Infinity,
  alignedMoves: false,
  maskedTails: false,
  maskedRuns: true,
  permutedBlocks: true,
  threadsFromBytes: 2 * 1024 * 1024,
});

/** Shorter pieces are over before what they bring into the caches is in the way. */
export const LEAST_STREAMED_BYTES = 16 * 1024;

/** A tuning for what is known of the data. Who asks for stores past the cache gets these, and nothing that only suits large wholes. */
export function hinted(tuning: Tuning, { stores }: Conditions): Tuning {
  if (stores === undefined) return tuning;
  if (stores === "temporal") return { ...tuning, streamingBytes: Infinity };
  return { ...tuning, streamingBytes: Math.min(tuning.streamingBytes, LEAST_STREAMED_BYTES), spacedBlocks: false };
}

/** The options, and where they are silent what suits processors of this vendor, by the name that cpuid gives. */
export function tuningOf({ level: _, ...options }: X64Options, vendor: string | undefined): Tuning {
  const isAmd = vendor === "AuthenticAMD";
  const byVendor = { fencedColumns: isAmd, spacedBlocks: isAmd, learntRuns: isAmd ? 4096 : DEFAULT_TUNING.learntRuns };
  return Object.freeze({ ...DEFAULT_TUNING, ...byVendor, ...options });
}
