import { wayBytesOf, type Cache } from "../targets/geometry.js";

/** Bytes of a cache line: 64 on every x86-64 processor. */
export const LINE_BYTES = 64;

/**
 * Lines at this stride that a cache holds, as so many ways as are a power of two: a stride that a power of two divides reaches few of
 * its sets. At a stride of s bytes, lines of L bytes, W ways: W x sets x L / gcd(s, sets x L).
 */
export function linesThatFit(cache: Cache, strideBytes: number): number {
  const wayBytes = wayBytesOf(cache);
  const apart = Math.abs(strideBytes % wayBytes);
  const sets = apart === 0 ? 1 : wayBytes / (apart & -apart);
  return 2 ** Math.floor(Math.log2(cache.ways)) * sets;
}

/** Whether lines at this stride conflict in one set or two. */
export const conflictsInSets = (cache: Cache, strideBytes: number): boolean =>
  strideBytes !== 0 && strideBytes % (wayBytesOf(cache) / 2) === 0;

/** Ways of a set that stored pieces leave for loads. */
const WAYS_FOR_LOADS = 2;
/**
 * On a Zen 5, which has 12 ways, columns of 514, 1,026 and 2,050 doubles in blocks of as many as 8 to 10 ways hold take 2.2 times as long
 * as in blocks of as many as 6 hold.
 */
const MOST_WAYS_FOR_PIECES = 6;

/**
 * Pieces of a line's length at this stride that a cache holds while they are written, rounded down to a power of two. At a
 * stride of no full lines each piece touches two, and near a power of two (a row of 512 numbers and two ghost cells) they
 * conflict in few sets.
 */
export function piecesThatFit(cache: Cache, strideBytes: number): number {
  if (strideBytes % LINE_BYTES === 0) return linesThatFit(cache, strideBytes);
  const { ways, sets } = cache;
  const waysForPieces = Math.min(ways - WAYS_FOR_LOADS, MOST_WAYS_FOR_PIECES);
  const taken = new Uint8Array(sets);
  for (let pieces = 0; pieces < ways * sets; pieces++) {
    const set = Math.floor((Math.abs(pieces * strideBytes) % wayBytesOf(cache)) / LINE_BYTES);
    for (const line of [set, (set + 1) % sets]) {
      const count = (taken[line] as number) + 1;
      if (count > waysForPieces) return 2 ** Math.floor(Math.log2(pieces));
      taken[line] = count;
    }
  }
  return ways * sets;
}
