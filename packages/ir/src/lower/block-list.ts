import { integerTable, type IntegerTable } from "../integer-table.js";
import { blocks, uniformBlocks } from "../layout/blocks.js";
import { dense } from "../layout/dense.js";
import { copies, EMPTY_PIECE, type LoweredChild, type Piece } from "./piece.js";

// The first block stands at the node's zero and runs count bytes, as in the canonical form: lists of 10^6 entries are
// then read once.

/** Blocks of one length at displacements that count `unitBytes`. */
export function uniformList(
  displacements: IntegerTable,
  unitBytes: number,
  blocklength: number,
  { piece, extentBytes }: LoweredChild,
): Piece {
  const block = copies(blocklength, extentBytes, piece);
  if (displacements.length === 0 || block.node.sizeBytes === 0) return EMPTY_PIECE;
  const places = scaledFromFirst(displacements, unitBytes);
  return {
    offsetBytes: block.offsetBytes + firstOf(displacements, unitBytes),
    node: uniformBlocks(places, block.node),
  };
}

/** Blocks of lengths of their own. Empty blocks are left out. */
export function list(
  displacements: IntegerTable,
  unitBytes: number,
  blocklengths: IntegerTable,
  { piece, extentBytes }: LoweredChild,
): Piece {
  if (piece.node.sizeBytes === 0) return EMPTY_PIECE;
  const kept = fullBlocks(blocklengths);
  const lengths = kept === undefined ? blocklengths : picked(blocklengths, kept);
  if (lengths.length === 0) return EMPTY_PIECE;
  const full = kept === undefined ? displacements : picked(displacements, kept);
  const places = scaledFromFirst(full, unitBytes);
  const isRuns = piece.node.kind === "dense" && piece.node.lengthBytes === extentBytes;
  return {
    offsetBytes: piece.offsetBytes + firstOf(full, unitBytes),
    node: isRuns
      ? blocks(places, scaled(lengths, extentBytes), 1, BYTE)
      : blocks(places, lengths, extentBytes, piece.node),
  };
}

const BYTE = dense(1);

const firstOf = (displacements: IntegerTable, unitBytes: number): number =>
  (displacements[0] as number) * unitBytes + 0;

/** Indices of the blocks that hold anything; undefined where all do. */
function fullBlocks(blocklengths: IntegerTable): IntegerTable | undefined {
  let empty = 0;
  for (let i = 0; i < blocklengths.length; i++) if (blocklengths[i] === 0) empty++;
  if (empty === 0) return undefined;
  const kept = new Int32Array(blocklengths.length - empty);
  for (let i = 0, next = 0; i < blocklengths.length; i++) if (blocklengths[i] !== 0) kept[next++] = i;
  return kept;
}

function picked(table: IntegerTable, indices: IntegerTable): IntegerTable {
  return integerTable(indices.length, (i) => table[indices[i] as number] as number);
}

/**
 * The distance of every entry from the first one, times `factor`, in the narrowest table; the table itself where that
 * changes nothing. The bounds of the datatype have shown that the products are safe integers. O(n), a plain loop: it
 * carries lists of 10^6 entries.
 */
function scaledFromFirst(table: IntegerTable, factor: number): IntegerTable {
  const first = table[0] as number;
  if (first === 0 && factor === 1) return table;
  const narrow = new Int32Array(table.length);
  for (let i = 0; i < table.length; i++) {
    const value = ((table[i] as number) - first) * factor;
    if (value !== (value | 0)) return scaledWide(table, first, factor);
    narrow[i] = value;
  }
  return narrow;
}

/** Every entry times `factor`. */
function scaled(table: IntegerTable, factor: number): IntegerTable {
  if (factor === 1) return table;
  const narrow = new Int32Array(table.length);
  for (let i = 0; i < table.length; i++) {
    const value = (table[i] as number) * factor;
    if (value !== (value | 0)) return scaledWide(table, 0, factor);
    narrow[i] = value;
  }
  return narrow;
}

function scaledWide(table: IntegerTable, first: number, factor: number): Float64Array {
  const wide = new Float64Array(table.length);
  for (let i = 0; i < table.length; i++) wide[i] = ((table[i] as number) - first) * factor + 0; // -0 becomes 0
  return wide;
}
