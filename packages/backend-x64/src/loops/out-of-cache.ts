/**
 * What is done for full packs that the caches do not hold. Non-temporal stores take each run, by a width that divides
 * them all (`merged`: by blocks that are put together in registers first); tiles of columns; or the lines inside long
 * runs. "padded": NOP padding stands between short blocks (padding.ts).
 */
export type OutOfCache =
  | NonTemporalRuns
  | NonTemporalColumns
  | { readonly what: "long runs" }
  | { readonly what: "padded" };

export interface NonTemporalColumns {
  readonly what: "columns";
  /** Whether columns begin and end in the middle of lines. */
  readonly halves?: true;
}

export interface NonTemporalRuns {
  readonly what: "runs";
  readonly width: 8 | 16 | 32;
  readonly merged: boolean;
}

/** Whether merged stores are non-temporal too: each is then aligned to 32 bytes. */
export const mergesNonTemporal = (outOfCache: OutOfCache | undefined): boolean =>
  outOfCache?.what === "runs" && outOfCache.merged;
