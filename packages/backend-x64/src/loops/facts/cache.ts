import type { Ways } from "../../targets/geometry.js";

/** Bytes of a cache line. */
export const LINE_BYTES = 64;

/** Lines so many bytes apart are in one set. */
export const wayBytesOf = ({ sets }: Ways): number => sets * LINE_BYTES;

/** Rounds and tiles have powers of two. */
const powerBelow = (count: number): number => 2 ** Math.floor(Math.log2(count));

/** Lines of one set that a round may touch. */
export const linesOfSet = ({ ways }: Ways): number => powerBelow(ways);

/**
 * Lines at this stride that L1d holds, W 2^k of them at a stride of 2^(w - k) bytes times an odd number, of ways of 2^w
 * bytes.
 */
export function linesThatFit(l1d: Ways, strideBytes: number): number {
  const wayBytes = wayBytesOf(l1d);
  const apart = Math.abs(strideBytes % wayBytes);
  return linesOfSet(l1d) * (apart === 0 ? 1 : wayBytes / (apart & -apart));
}

/** Whether lines at this stride conflict in one set of L1d. */
export const conflictsInOneSet = (l1d: Ways, strideBytes: number): boolean =>
  strideBytes !== 0 && strideBytes % wayBytesOf(l1d) === 0;

/** Whether lines at this stride conflict in one set of L1d or two. */
export const conflictsInSets = (l1d: Ways, strideBytes: number): boolean =>
  strideBytes !== 0 && strideBytes % (wayBytesOf(l1d) / 2) === 0;

/** Ways of a set that are left for loads while pieces are stored. */
const WAYS_FOR_LOADS = 2;
/**
 * More pieces in a set gain nothing: with ten in Zen 5's twelve ways, 514 doubles a column were packed at half the
 * speed.
 */
const MOST_PIECES_OF_SET = 6;

/**
 * Pieces of a line's length at this stride that L1d holds while they are written, rounded down to a power of two. At a
 * stride of no full lines each piece touches two, and near a power of two (a row of 512 numbers and two ghost cells)
 * they conflict in few sets.
 */
export function piecesThatFit(l1d: Ways, strideBytes: number): number {
  if (strideBytes % LINE_BYTES === 0) return linesThatFit(l1d, strideBytes);
  const { sets, ways } = l1d;
  const most = Math.min(MOST_PIECES_OF_SET, ways - WAYS_FOR_LOADS);
  const taken = new Uint8Array(sets);
  for (let pieces = 0; pieces < ways * sets; pieces++) {
    const set = Math.floor((Math.abs(pieces * strideBytes) % wayBytesOf(l1d)) / LINE_BYTES);
    for (const line of [set, (set + 1) % sets]) {
      const count = (taken[line] as number) + 1;
      if (count > most) return powerBelow(pieces);
      taken[line] = count;
    }
  }
  return powerBelow(ways * sets);
}
