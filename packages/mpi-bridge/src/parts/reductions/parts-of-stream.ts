/** A part of a packed stream. */
export interface StreamPart {
  readonly first: number;
  readonly length: number;
}

/** What is packed, sent and combined at once: it stays in L2 between the three. */
export const SEGMENT_BYTES = 128 * 1024;

/** Segments of one stream between two ranks that are under way at once; their memory is used again. */
export const DEPTH = 3;

/** Parts end between cache lines, which hold whole elements of every basic type. */
const LINE_BYTES = 64;

/**
 * One part for each rank, about as long as each other. All ranks divide alike: by the packed bytes and the ranks alone.
 */
export function evenParts(sizeBytes: number, ranks: number): readonly StreamPart[] {
  const lines = Math.ceil(sizeBytes / LINE_BYTES);
  const startOf = (rank: number): number => Math.min(sizeBytes, Math.floor((lines * rank) / ranks) * LINE_BYTES);
  return Array.from({ length: ranks }, (_, rank) => ({
    first: startOf(rank),
    length: startOf(rank + 1) - startOf(rank),
  }));
}

/** All of it is one rank's. */
export const onePart = (sizeBytes: number, ranks: number, owner: number): readonly StreamPart[] =>
  Array.from({ length: ranks }, (_, rank) => ({ first: 0, length: rank === owner ? sizeBytes : 0 }));

/** Parts of given lengths, one after another. */
export function partsOf(lengths: readonly number[]): readonly StreamPart[] {
  let end = 0;
  return lengths.map((length) => ({ first: (end += length) - length, length }));
}

/** The segments of a part, in order; none of an empty one. */
export const segmentsOf = ({ first, length }: StreamPart): readonly StreamPart[] =>
  Array.from({ length: Math.ceil(length / SEGMENT_BYTES) }, (_, i) => ({
    first: first + i * SEGMENT_BYTES,
    length: Math.min(SEGMENT_BYTES, length - i * SEGMENT_BYTES),
  }));
