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

/** Whether lines so far apart fall into one set or two. */
export const sharesSets = (strideBytes: number): boolean => strideBytes !== 0 && strideBytes % (WAY_BYTES / 2) === 0;

const SETS = WAY_BYTES / LINE_BYTES;
/** Ways of a set that stored pieces may take: what is loaded meanwhile has two. */
const WAYS_FOR_PIECES = WAYS - 2;

/**
 * Pieces of a line's length, so far apart, that the first cache holds while they are written, down to a power of two. At
 * strides of no whole lines each takes two of them, and near a power of two (a row of 512 numbers and two of
 * ghost cells) they crowd in few sets.
 */
export function piecesThatFit(strideBytes: number): number {
  if (strideBytes % LINE_BYTES === 0) return linesThatFit(strideBytes);
  const taken = new Uint8Array(SETS);
  for (let pieces = 0; pieces < WAYS * SETS; pieces++) {
    const set = Math.floor((Math.abs(pieces * strideBytes) % WAY_BYTES) / LINE_BYTES);
    for (const line of [set, (set + 1) % SETS]) {
      const count = (taken[line] as number) + 1;
      if (count > WAYS_FOR_PIECES) return 2 ** Math.floor(Math.log2(pieces));
      taken[line] = count;
    }
  }
  return WAYS * SETS;
}
