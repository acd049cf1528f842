import { recordFormat } from "@stowage/backend-api";

/** The fixed-length parameters of one node (Jenkins et al. 2014, table 1), as a kernel reads them. */
export const NODE_RECORD = recordFormat("launch_node", "The fixed-length parameters of one node of a layout.", [
  ["kind", "u32", ""],
  ["child", "u32", "bytes from the first node's record to the child's; in a launch from the block's start"],
  ["multiplier", "u64", "what divides a position by the child's size: for positions of 64 bits, and of 32"],
  ["shift", "u32", ""],
  ["narrowMultiplier", "u32", ""],
  ["narrowShift", "u32", ""],
  ["bucketShift", "u32", "buckets are of 2^bucketShift bytes, each of which knows its first block"],
  ["childBytes", "u64", "of a leaf its own length, of a sequence how many members it has"],
  ["strideBytes", "i64", ""],
  ["entries", "u64", "in the lookaside buffer: entries, or displacements; in a launch their address"],
  ["buckets", "u64", "in the lookaside buffer; in a launch their address"],
  ["children", "u64", "of a sequence, in the lookaside buffer; in a launch their address", { at: "strideBytes" }],
]);
export const NODE = NODE_RECORD.offsets;
export const NODE_BYTES = NODE_RECORD.bytes;

/**
 * dense: the position is the offset. stream: child k is k strides away. listed: child k is at displacement k.
 * runs: blocks of bytes of any length. blocks: blocks of any number of children. sequence: members of any size.
 */
export const KIND = { dense: 0, stream: 1, listed: 2, runs: 3, blocks: 4, sequence: 5 } as const;
