/** Bytes of a cache line. */
export const LINE_BYTES = 64;

/** A way of a first cache of 64 sets: lines so far apart share a set. */
export const WAY_BYTES = 4096;
export const WAYS = 8;
