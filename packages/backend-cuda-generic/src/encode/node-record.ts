/** The fixed-length parameters of one node (Jenkins et al. 2014, table 1), as a kernel reads them. */
export const NODE = {
  kind: 0,
  /** Bytes from the first node's record to the child's. */
  child: 4,
  /** What divides a position by the child's size: for positions of 64 bits, and of 32. */
  multiplier: 8,
  shift: 16,
  narrowMultiplier: 20,
  narrowShift: 24,
  /** Positions are grouped into buckets of 2^bucketShift bytes, each of which knows its first block. */
  bucketShift: 28,
  /** Of a leaf, its own length; of a sequence, how many members it has. */
  childBytes: 32,
  strideBytes: 40,
  /** Offsets in the lookaside buffer: of entries, or displacements; of buckets; of a sequence's children. */
  entries: 48,
  buckets: 56,
  children: 40,
} as const;
export const NODE_BYTES = 64;

/**
 * dense: the position is the offset. stream: child k is k strides away. listed: child k is at displacement k.
 * runs: blocks of bytes of any length. blocks: blocks of any number of children. sequence: members of any size.
 */
export const KIND = { dense: 0, stream: 1, listed: 2, runs: 3, blocks: 4, sequence: 5 } as const;
