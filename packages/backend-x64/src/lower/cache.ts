/** Bytes of a cache line. */
export const LINE_BYTES = 64;

/** A way of a first cache of 64 sets: lines so far apart share a set. */
export const WAY_BYTES = 4096;
export const WAYS = 8;

/** Lines so far apart that the first cache holds: those whose distances share a power of two share few of its sets. */
export function linesThatFit(strideBytes: number): number {
  const apart = Math.abs(strideBytes % WAY_BYTES);
  const sets = apart === 0 ? 1 : WAY_BYTES / (apart & -apart);
  return WAYS * sets;
}
