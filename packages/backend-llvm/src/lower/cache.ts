/** Bytes of a cache line. */
export const LINE_BYTES = 64;

/** A way of an L1d of 64 sets: lines so far apart are in one set. */
const WAY_BYTES = 4096;
const WAYS = 8;

/** Lines at this stride that L1d holds: a stride that a power of two divides reaches few of its sets. */
export function linesThatFit(strideBytes: number): number {
  const apart = Math.abs(strideBytes % WAY_BYTES);
  const sets = apart === 0 ? 1 : WAY_BYTES / (apart & -apart);
  return WAYS * Math.max(1, Math.min(sets, WAY_BYTES / LINE_BYTES));
}
