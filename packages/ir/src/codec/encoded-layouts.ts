import type { IntegerTable } from "../integer-table.js";

/**
 * Layouts as flat tables of numbers, to be stored, sent or read by a program in another language. Nodes and tables
 * that are shared stay shared, within a layout and between them.
 *
 * `nodes` holds a row of 5 numbers a node, children before their parents (post-order):
 *
 *     dense     0  lengthBytes
 *     stream    1  child  count  strideBytes
 *     blocks    2  child  strideBytes  displacements  blocklengths (-1: each block is one copy)
 *     sequence  3  offsets  members
 *
 * where child is a row of `nodes`; displacements, blocklengths, offsets and members are indices into `tables`; and
 * members is a table of rows. Unused columns are 0. `layouts` holds a row of 4 numbers a layout:
 * root (a row of `nodes`), startBytes, lowerBoundBytes, extentBytes.
 */
export interface EncodedLayouts {
  readonly nodes: Float64Array;
  readonly layouts: Float64Array;
  readonly tables: readonly IntegerTable[];
}

export const NODE_COLUMNS = 5;
export const LAYOUT_COLUMNS = 4;
export const KIND_CODES = { dense: 0, stream: 1, blocks: 2, sequence: 3 } as const;
/** In place of a table of blocklengths. */
export const ONE_COPY = -1;
