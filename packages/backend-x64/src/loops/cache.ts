/** Bytes of a cache line. */
export const LINE_BYTES = 64;

/** A way of an L1d of 64 sets: lines so far apart are in one set. */
export const WAY_BYTES = 4096;
export const WAYS = 8;

/** Lines at this stride that L1d holds: a stride that a power of two divides reaches few of its sets. */
export function linesThatFit(strideBytes: number): number {
  const apart = Math.abs(strideBytes % WAY_BYTES);
  const sets = apart === 0 ? 1 : WAY_BYTES / (apart & -apart);
  return WAYS * sets;
}

/** Whether lines at this stride conflict in one set of L1d or two. */
export const conflictsInSets = (strideBytes: number): boolean =>
  strideBytes !== 0 && strideBytes % (WAY_BYTES / 2) === 0;

const SETS = WAY_BYTES / LINE_BYTES;
/** Ways of a set for stored pieces; two are left for loads. */
const WAYS_FOR_PIECES = WAYS - 2;

/**
 * Pieces of a line's length at this stride that L1d holds while they are written, rounded down to a power of two. At a
 * stride of no full lines each piece touches two, and near a power of two (a row of 512 numbers and two ghost cells) they
 * conflict in few sets.
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
