import { EMPTY_REGION, type HostRegion } from "./host-memory.js";
import type { WordTable } from "./word-table.js";

/** One side of a move of blocks, as the inner loops take it. Reused from call to call: a run allocates nothing. */
export class Cursor {
  region: HostRegion = EMPTY_REGION;
  /** Index in the region's ArrayBuffer from which strides and displacements count. */
  at = 0;
  strideBytes = 0;
  /** Where the blocks lie irregularly; `block` is then the first one's entry. */
  table: WordTable | undefined = undefined;
  block = 0;
}

/**
 * Whether every block of the side begins `skewBytes` past a multiple of 8 (of 4). No remainders: % is slow on doubles.
 */
export function isAligned({ at, strideBytes, table }: Cursor, wordBytes: 4 | 8, skewBytes: number): boolean {
  const steps = table === undefined ? strideBytes : table.unitBytes;
  return Number.isInteger((at - skewBytes) / wordBytes) && Number.isInteger(steps / wordBytes);
}

/** Words of `wordBytes` in one unit of the table. */
export const scaleOf = ({ unitBytes }: WordTable, wordBytes: number): number => unitBytes / wordBytes;

/**
 * An aligned number of bytes, in words. The division is exact; Math.floor is there because engines then keep the
 * result as a small integer, and a loop that has once seen an index held as a double stays three times slower.
 */
export const inWords = (bytes: number, wordBytes: number): number => Math.floor(bytes / wordBytes);
