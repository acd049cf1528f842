import type { IntegerTable } from "../integer-table.js";
import type { LayoutFacts } from "./facts.js";

/**
 * A piece of a layout, free of any position: its parent says where its zero lies. Nodes are immutable and may be
 * shared, so a layout is a directed acyclic graph; walks keep an explicit stack and recurse on nothing.
 */
export type LayoutNode = Dense | Stream | Blocks | Sequence;

/** Bytes [0, lengthBytes), in order. The only leaf; of length 0 it is the empty layout. */
export interface Dense extends LayoutFacts {
  readonly kind: "dense";
  readonly lengthBytes: number;
}

/** `count` copies of one child, copy i at i × strideBytes from the node's zero. The stride may be negative or zero. */
export interface Stream extends LayoutFacts {
  readonly kind: "stream";
  readonly count: number;
  readonly strideBytes: number;
  readonly child: LayoutNode;
}

/**
 * Irregular repetition of one child: block i starts at displacementsBytes[i] and holds blocklengths[i] copies of
 * the child, strideBytes apart. `blocklengths` is 1 where every block is one copy (strideBytes is then 0).
 * Runs of bytes of varying length have the child dense(1) with strideBytes 1, so that blocklengths are bytes.
 */
export interface Blocks extends LayoutFacts {
  readonly kind: "blocks";
  /** Where each block starts, from the node's zero, in packed order; in any order, and they may repeat. */
  readonly displacementsBytes: IntegerTable;
  /** Copies in each block, as many entries as there are displacements; 0 is an empty block. */
  readonly blocklengths: 1 | IntegerTable;
  readonly strideBytes: number;
  readonly child: LayoutNode;
  /** Blocks that begin where the one before ends, where each block is one dense run; 0 where they are not. */
  readonly touchingBlocks: number;
}

/** One node of a sequence, and how far its zero lies from that of the sequence. */
export interface Member {
  readonly offsetBytes: number;
  readonly node: LayoutNode;
}

/** Different nodes one after another in the packed stream, each at an offset of its own. */
export interface Sequence extends LayoutFacts {
  readonly kind: "sequence";
  readonly members: readonly Member[];
}
