import { EMPTY_REGION, type HostRegion } from "./host-memory.js";
import type { WordTable } from "./word-table.js";

/** One side of a move of blocks, as the inner loops take it. Reused from call to call: a run allocates nothing. */
export class Lane {
  region: HostRegion = EMPTY_REGION;
  /** Index in the region's ArrayBuffer from which strides and displacements count. */
  at = 0;
  strideBytes = 0;
  /** Where the blocks lie irregularly; `block` is then the first one's entry. */
  table: WordTable | undefined = undefined;
  block = 0;
}

/** Whether every block of the lane begins at a multiple of `wordBytes`, `skewBytes` aside. */
export function isAligned({ at, strideBytes, table }: Lane, wordBytes: number, skewBytes: number): boolean {
  if ((at - skewBytes) % wordBytes !== 0) return false;
  return (table === undefined ? strideBytes : table.unitBytes) % wordBytes === 0;
}

/** Words of `wordBytes` in one unit of the table. */
export const scaleOf = ({ unitBytes }: WordTable, wordBytes: number): number => unitBytes / wordBytes;
