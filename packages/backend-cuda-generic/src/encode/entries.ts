import type { Lookaside } from "./lookaside.js";

/** Blocks of one list: where each begins in the packed stream, and where it lies. */
export interface BlockList {
  readonly count: number;
  prefixBytes(index: number): number;
  displacementBytes(index: number): number;
  readonly sizeBytes: number;
}

/** Where a list's tables lie, and how positions find their bucket. */
export interface ListPlace {
  readonly entries: number;
  readonly buckets: number;
  readonly bucketShift: number;
}

/**
 * Pairs of prefix sum and displacement, one more that says where the list ends, and the coarse table over them: bucket
 * b holds the index of the block with packed byte b × 2^shift. A bucket is about one block long, so that a search looks
 * at one or two entries, however long the list.
 */
export function addList(lookaside: Lookaside, list: BlockList, wide: boolean, coarse: boolean): ListPlace {
  const bucketShift = coarse ? shiftFor(list) : WHOLE_LIST;
  const entries = lookaside.add(wide ? wideEntries(list) : narrowEntries(list));
  return { entries, buckets: lookaside.add(bucketsOf(list, bucketShift)), bucketShift };
}

/** Beyond every position: one bucket holds the list, and the search is binary over all of it, as the paper's. */
const WHOLE_LIST = 62;

function shiftFor({ count, sizeBytes }: BlockList): number {
  const meanBytes = Math.max(1, sizeBytes / Math.max(1, count));
  return Math.floor(Math.log2(meanBytes));
}

function narrowEntries(list: BlockList): Uint8Array {
  const words = new Int32Array(2 * (list.count + 1));
  words[2 * list.count] = list.sizeBytes;
  for (let i = 0; i < list.count; i++) {
    words[2 * i] = list.prefixBytes(i);
    words[2 * i + 1] = list.displacementBytes(i);
  }
  return new Uint8Array(words.buffer);
}

function wideEntries(list: BlockList): Uint8Array {
  const words = new BigInt64Array(2 * (list.count + 1));
  words[2 * list.count] = BigInt(list.sizeBytes);
  for (let i = 0; i < list.count; i++) {
    words[2 * i] = BigInt(list.prefixBytes(i));
    words[2 * i + 1] = BigInt(list.displacementBytes(i));
  }
  return new Uint8Array(words.buffer);
}

function bucketsOf(list: BlockList, shift: number): Uint8Array {
  const size = 2 ** shift;
  const buckets = new Uint32Array(Math.floor(Math.max(0, list.sizeBytes - 1) / size) + 2).fill(list.count - 1);
  let next = 0;
  for (let i = 0; i < list.count; i++) {
    // Block i holds every bucket start from its own first byte on, until a later block claims it.
    const end = i + 1 < list.count ? list.prefixBytes(i + 1) : list.sizeBytes;
    for (; next * size < end && next < buckets.length - 1; next++) buckets[next] = i;
  }
  return new Uint8Array(buckets.buffer);
}
