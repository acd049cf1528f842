import type { LayoutNode } from "@stowage/ir";
import { conflictsInSets, LINE_BYTES, linesThatFit, piecesThatFit } from "./cache.js";
import { nonTemporalWidthOf, type LoopContext } from "./loop-context.js";

/** Neighbouring columns of single elements: the packed stream has them one after another, memory side by side. */
export interface Columns {
  readonly elementBytes: number;
  readonly rows: number;
  readonly rowStrideBytes: number;
}

const LANE_BYTES = 16;

/** Whether tiles (tile.ts) take elements of so many bytes. */
export const hasTiles = (elementBytes: number): boolean =>
  elementBytes <= LANE_BYTES && Number.isInteger(Math.log2(elementBytes));

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

export const columnBytesOf = ({ elementBytes, rows }: Columns): number => rows * elementBytes;

/** Whether columns and rows fill whole lines of the target, wherever the first one begins. */
export const fillWholeLines = ({ direction }: LoopContext, columns: Columns): boolean =>
  (direction === "pack" ? columnBytesOf(columns) : columns.rowStrideBytes) % LINE_BYTES === 0;

/** Bytes of a row in a block: few enough lines that each stays in L1d until all of its bytes are moved. */
export const BLOCK_BYTES = 4 * LINE_BYTES;
/** The same for non-temporal stores of columns, which have no set conflicts. */
export const OUT_OF_CACHE_BLOCK_BYTES = 2 * BLOCK_BYTES;

/** Of a row at least so many bytes: a tile takes as many where it can. */
const LEAST_BLOCK_BYTES = LINE_BYTES / 2;

/**
 * Columns of a block: no more than L1d has lines for at this stride of the target. Elements of one byte count lines only:
 * each block fetches the lines of all rows again, which costs them more than set conflicts.
 */
export function columnsOfBlock(elementBytes: number, columnStrideBytes: number): number {
  const fitting = elementBytes === 1 ? linesThatFit(columnStrideBytes) : piecesThatFit(columnStrideBytes);
  return Math.min(BLOCK_BYTES / elementBytes, Math.max(LEAST_BLOCK_BYTES / elementBytes, fitting));
}

/** Bytes of a row where fewer columns are left than a block has, down to the fewest packed columns that a tile takes. */
const NARROW_BYTES: readonly number[] = [LINE_BYTES, LINE_BYTES / 2, LINE_BYTES / 4, LINE_BYTES / 8];

/** The same where rows conflict in one set of L1d or two: each further round fetches all of their lines again. */
const CONFLICTING_BYTES: readonly number[] = [2 * LINE_BYTES, ...NARROW_BYTES];

/**
 * Columns that are moved together, the most first: no more than packed columns' lines fit into L1d. Where
 * rows lie nearer than a block is wide, blocks would overlap.
 */
export function columnsAtOnce(context: LoopContext, columns: Columns): readonly number[] {
  const { elementBytes, rowStrideBytes } = columns;
  if (context.outOfCache?.what === "columns") return outOfCacheAtOnce(context, columns);
  const block =
    context.direction === "pack"
      ? Math.max(LINE_BYTES, columnsOfBlock(elementBytes, columnBytesOf(columns)) * elementBytes)
      : BLOCK_BYTES;
  const widths = [...new Set([block, ...(conflictsInSets(rowStrideBytes) ? CONFLICTING_BYTES : NARROW_BYTES)])];
  return widths
    .filter((bytes) => bytes > elementBytes && bytes <= Math.abs(rowStrideBytes))
    .map((bytes) => bytes / elementBytes);
}

/** Non-temporal stores have no set conflicts, and need full lines. */
function outOfCacheAtOnce({ direction }: LoopContext, { elementBytes, rowStrideBytes }: Columns): readonly number[] {
  const block = direction === "pack" ? OUT_OF_CACHE_BLOCK_BYTES : BLOCK_BYTES;
  return [block, LINE_BYTES].filter((bytes) => bytes <= Math.abs(rowStrideBytes)).map((bytes) => bytes / elementBytes);
}
