import type { LayoutNode } from "@stowage/ir";
import { LINE_BYTES, linesThatFit, conflictsInSets } from "./cache.js";
import type { Emitter, Offsets } from "./emitter.js";
import { isFenced } from "./loop-schedule.js";
import { hasTiles } from "./tile.js";
import {
  BLOCK_BYTES,
  columnsOfBlock,
  emitTransposed,
  OUT_OF_CACHE_BLOCK_BYTES,
  outOfCacheOrder,
} from "./transposed.js";

/** Neighbouring columns of single elements: the packed stream has them one after another, memory side by side. */
export interface Columns {
  readonly elementBytes: number;
  readonly rows: number;
  readonly rowStrideBytes: number;
}

/** Whether children `strideBytes` apart are such columns; undefined where they are not. */
export function columnsOf(e: Emitter, child: LayoutNode, strideBytes: number): Columns | undefined {
  if (e.nonTemporalWidth !== undefined || child.kind !== "stream" || child.child.kind !== "dense") return undefined;
  const elementBytes = child.child.lengthBytes;
  if (!hasTiles(elementBytes) || strideBytes !== elementBytes) return undefined;
  if (child.count * elementBytes < LEAST_BYTES || Math.abs(child.strideBytes) < LINE_BYTES) return undefined;
  return { elementBytes, rows: child.count, rowStrideBytes: child.strideBytes };
}

/** Whether columns and rows fill whole lines of the target, wherever the first one begins. */
export const fillWholeLines = (e: Emitter, columns: Columns): boolean =>
  (e.direction === "pack" ? columnBytesOf(columns) : columns.rowStrideBytes) % LINE_BYTES === 0;

/** Bytes of a column that are worth a block. */
const LEAST_BYTES = LINE_BYTES / 2;

/** Bytes of a row where fewer columns are left than a block has, down to the fewest packed columns that a tile takes. */
const NARROW_BYTES: readonly number[] = [LINE_BYTES, LINE_BYTES / 2, LINE_BYTES / 4, LINE_BYTES / 8];

/** The same where rows conflict in one set of L1d or two: each further round fetches all of their lines again. */
const CONFLICTING_BYTES: readonly number[] = [2 * LINE_BYTES, ...NARROW_BYTES];

/** Lines of a column that packing writes before it goes on to the next columns. */
const LINES_OF_COLUMN = 2;

const columnBytesOf = ({ elementBytes, rows }: Columns): number => rows * elementBytes;

/**
 * Columns that are moved together, the most first: no more than packed columns' lines fit into L1d. Where
 * rows lie nearer than a block is wide, blocks would overlap.
 */
export function columnsAtOnce(e: Emitter, columns: Columns): readonly number[] {
  const { elementBytes, rowStrideBytes } = columns;
  if (e.outOfCache?.what === "columns") return outOfCacheAtOnce(e, columns);
  const block =
    e.direction === "pack"
      ? Math.max(LINE_BYTES, columnsOfBlock(elementBytes, columnBytesOf(columns)) * elementBytes)
      : BLOCK_BYTES;
  const widths = [...new Set([block, ...(conflictsInSets(rowStrideBytes) ? CONFLICTING_BYTES : NARROW_BYTES)])];
  return widths
    .filter((bytes) => bytes > elementBytes && bytes <= Math.abs(rowStrideBytes))
    .map((bytes) => bytes / elementBytes);
}

/** Non-temporal stores have no set conflicts, and need full lines. */
function outOfCacheAtOnce(e: Emitter, { elementBytes, rowStrideBytes }: Columns): readonly number[] {
  const block = e.direction === "pack" ? OUT_OF_CACHE_BLOCK_BYTES : BLOCK_BYTES;
  return [block, LINE_BYTES].filter((bytes) => bytes <= Math.abs(rowStrideBytes)).map((bytes) => bytes / elementBytes);
}

/**
 * `count` columns, the first one at `offsets`: a few rows of all of them, then the next rows. Of one line of columns or
 * less the fewest rows, since nothing of a line is left for later.
 */
export function emitColumns(e: Emitter, columns: Columns, count: number, offsets: Offsets): void {
  const { elementBytes, rows, rowStrideBytes } = columns;
  const columnBytes = columnBytesOf(columns);
  const line = LINE_BYTES / elementBytes;
  const isNarrow = count <= line;
  const most = isNarrow ? 1 : linesThatFit(rowStrideBytes);
  if (e.direction === "pack") {
    const inMemory = { elementBytes, rows, rowStrideBytes, columns: count, columnStrideBytes: columnBytes };
    return emitTransposed(
      e,
      inMemory,
      offsets,
      outOfCacheOrder(e, elementBytes) ?? { rowsAtOnce: Math.min(LINES_OF_COLUMN * line, most) },
    );
  }
  const packed = {
    elementBytes,
    rows: count,
    rowStrideBytes: columnBytes,
    columns: rows,
    columnStrideBytes: rowStrideBytes,
  };
  const fenced = count < line && isFenced(e, { strideBytes: rowStrideBytes, count: rows });
  emitTransposed(e, packed, offsets, { columnsAtOnce: Math.min(line, most), fenced });
}
