import type { LayoutNode } from "@stowage/ir";
import type { Ways } from "../../targets/geometry.js";
import { XMM_BYTES } from "../../widths.js";
import { nonTemporalWidthOf, type LoopContext } from "../loop-context.js";
import { LINE_BYTES, linesThatFit, piecesThatFit } from "./cache.js";

/** Neighbouring columns of single elements: the packed stream has them one after another, memory side by side. */
export interface Columns {
  readonly elementBytes: number;
  readonly rows: number;
  readonly rowStrideBytes: number;
}

export const columnBytesOf = ({ elementBytes, rows }: Columns): number => rows * elementBytes;

/** Bytes of a column that are worth a block. */
const LEAST_BYTES = LINE_BYTES / 2;

/** Whether children `strideBytes` apart are such columns; undefined where they are not. */
export function columnsOf(context: LoopContext, child: LayoutNode, strideBytes: number): Columns | undefined {
  if (nonTemporalWidthOf(context) !== undefined || child.kind !== "stream" || child.child.kind !== "dense")
    return undefined;
  const elementBytes = child.child.lengthBytes;
  if (!hasTiles(elementBytes) || strideBytes !== elementBytes) return undefined;
  if (child.count * elementBytes < LEAST_BYTES || Math.abs(child.strideBytes) < LINE_BYTES) return undefined;
  return { elementBytes, rows: child.count, rowStrideBytes: child.strideBytes };
}

/** Shortest piece of a column that one store takes. */
export const LEAST_PIECE_BYTES = 8;
/** Shortest piece of a row that one load takes. */
export const LEAST_LOAD_BYTES = 4;

/** Whether tiles take elements of so many bytes. */
const hasTiles = (elementBytes: number): boolean =>
  elementBytes <= XMM_BYTES && Number.isInteger(Math.log2(elementBytes));

/** Whether vectors save moves: columns of several rows to store at once, of rows that a load takes several of. */
export const savesMoves = (elementBytes: number, rows: number, columns: number): boolean =>
  hasTiles(elementBytes) && rows * elementBytes >= LEAST_PIECE_BYTES && columns * elementBytes >= LEAST_LOAD_BYTES;

/** Bytes of a row in a block: few enough lines that each stays in L1d until all of its bytes are moved. */
export const BLOCK_BYTES = 4 * LINE_BYTES;
/** Bytes of a block for non-temporal stores of columns, which have no set conflicts. */
export const OUT_OF_CACHE_BLOCK_BYTES = 2 * BLOCK_BYTES;

/** Bytes of a row that a tile takes at least, where it can. */
const LEAST_BLOCK_BYTES = LINE_BYTES / 2;

/**
 * Columns of a block: no more than L1d has lines for at this stride of the target; 1.2 to 1.6 times as fast near powers
 * of two. Elements of one byte count lines only: each block fetches the lines of all rows again, which costs them more
 * than set conflicts.
 */
export function columnsOfBlock(l1d: Ways, elementBytes: number, columnStrideBytes: number): number {
  const fitting = elementBytes === 1 ? linesThatFit(l1d, columnStrideBytes) : piecesThatFit(l1d, columnStrideBytes);
  return Math.min(BLOCK_BYTES / elementBytes, Math.max(LEAST_BLOCK_BYTES / elementBytes, fitting));
}
