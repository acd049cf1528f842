import type { FeatureLevel } from "./feature-level.js";

/** What the lowering may be told; each has a measured default (docs/x64.md). */
export interface X64Options {
  /** Emit for this level instead of the machine's own. Must be one that the machine runs. */
  readonly level?: FeatureLevel;
  /** Most block moves that are written out one by one instead of in a loop. */
  readonly unrollMoves?: number;
  /** Packed bytes from which packing writes past the cache. Infinity: never. */
  readonly streamingBytes?: number;
  /** Bytes from which one dense run is copied by rep movsb. Infinity: never. */
  readonly repMovsBytes?: number;
  /** Entries that a table-driven loop prefetches ahead where its reach exceeds the second-level cache; 0: none. */
  readonly prefetchEntries?: number;
  /** Bytes of reach from which loops prefetch. */
  readonly prefetchReachBytes?: number;
  /** Blocks from which unpacking through a table writes in the order of addresses. Infinity: never. */
  readonly sortBlocks?: number;
}

export type Tuning = Required<Omit<X64Options, "level">>;

export const DEFAULT_TUNING: Tuning = Object.freeze({
  unrollMoves: 48,
  streamingBytes: Infinity,
  repMovsBytes: Infinity,
  prefetchEntries: 24,
  prefetchReachBytes: 512 * 1024,
  sortBlocks: Infinity,
});

export const tuningOf = ({ level: _, ...options }: X64Options): Tuning => Object.freeze({ ...DEFAULT_TUNING, ...options });
