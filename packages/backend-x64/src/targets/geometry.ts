import { LINE_BYTES } from "../loops/cache.js";

/** A cache of lines of 64 bytes: lines that a set holds, and sets. */
export interface Cache {
  readonly ways: number;
  readonly sets: number;
}

/** What cpuid tells of a processor's memory hierarchy. The LLC is the last level that a core's data lies in. */
export interface Geometry {
  readonly l1d: Cache;
  readonly l2: Cache;
  readonly llc: Cache;
  /** Pages of 4 KiB whose addresses the last level of dTLB holds. */
  readonly dtlbPages: number;
}

export const bytesOf = ({ ways, sets }: Cache): number => ways * sets * LINE_BYTES;

/** Lines so far apart lie in one set. */
export const wayBytesOf = ({ sets }: Cache): number => sets * LINE_BYTES;

/** Lines that fill half of a cache, the other half left to the other side of a move. */
export const halfLinesOf = ({ ways, sets }: Cache): number => (ways * sets) / 2;
