import { LINE_BYTES, linesThatFit } from "../../cache.js";
import type { Columns } from "../../columns.js";
import type { LoopContext } from "../../loop-context.js";
import type { OutOfCache } from "../../out-of-cache.js";
import type { TransposeOrder } from "../../transpose-plan.js";
import { isFenced } from "../streams/fenced-stores.js";

/** Columns whose writes a processor combines at once. */
const COMBINED_COLUMNS = 4;

/**
 * The order of non-temporal stores of columns; undefined: there are none. A line stored in parts at different times is
 * written to memory twice. So each column is stored by full lines, even where rows conflict in one set; or, where
 * columns begin in the middle of lines, a few columns are stored from end to end.
 */
function outOfCacheOrder(outOfCache: OutOfCache | undefined, elementBytes: number): TransposeOrder | undefined {
  if (outOfCache?.what !== "columns") return undefined;
  if (outOfCache.halves === true) return { columnsAtOnce: Math.min(COMBINED_COLUMNS, LINE_BYTES / 2 / elementBytes) };
  return { rowsAtOnce: ((elementBytes < 8 ? 1 : 2) * LINE_BYTES) / elementBytes };
}

/** The order of a copy's columns: a line of each, of no more rows than L1d holds. */
export const copyOrder = (
  { outOfCache, tuning }: LoopContext,
  { elementBytes, rowStrideBytes }: Pick<Columns, "elementBytes" | "rowStrideBytes">,
): TransposeOrder =>
  outOfCacheOrder(outOfCache, elementBytes) ?? {
    rowsAtOnce: Math.min(LINE_BYTES / elementBytes, linesThatFit(tuning.target.geometry.l1d, rowStrideBytes)),
  };

/** Lines of a column that packing writes before it goes on to the next columns. */
const LINES_OF_COLUMN = 2;

/**
 * The order of `count` columns: a few rows of all of them, then the next rows. Of one line of columns or less the
 * fewest rows, since nothing of a line is left for later.
 */
export function transposeOrder(
  context: LoopContext,
  { elementBytes, rows, rowStrideBytes }: Columns,
  count: number,
): TransposeOrder {
  const line = LINE_BYTES / elementBytes;
  const most = count <= line ? 1 : linesThatFit(context.tuning.target.geometry.l1d, rowStrideBytes);
  if (context.direction === "pack")
    return outOfCacheOrder(context.outOfCache, elementBytes) ?? { rowsAtOnce: Math.min(LINES_OF_COLUMN * line, most) };
  const fenced = count < line && isFenced(context, { strideBytes: rowStrideBytes, count: rows });
  return { columnsAtOnce: Math.min(line, most), fenced };
}
