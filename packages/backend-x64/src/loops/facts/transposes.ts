import { WORD_BYTES, XMM_BYTES } from "../../widths.js";
import type { LoopContext } from "../loop-context.js";
import type { Band, OutOfCache, Stretch, Transposed, TransposeOrder, TransposePlan } from "../plans.js";
import { LINE_BYTES, linesThatFit } from "./cache.js";
import { LEAST_LOAD_BYTES, LEAST_PIECE_BYTES, type Columns } from "./columns.js";
import { isFenced } from "./conflicts.js";

/** Columns of one tile at most: twice as many registers are then enough for every step. */
const MOST_COLUMNS = 8;
/** Tiles that are written out in one round. */
const MOST_TILES = 8;
/** Columns of a round at most, whose lines are then written one after another. */
const MOST_COLUMNS_A_ROUND = 8;

/** The tiles of a transpose in an order, by vectors of so many bytes at most. */
export function planTranspose({ isa, tuning }: LoopContext, node: Transposed, order: TransposeOrder): TransposePlan {
  const { elementBytes, rowStrideBytes } = node;
  const { widest } = isa;
  const line = LINE_BYTES / elementBytes;
  const rowsFirst = "rowsAtOnce" in order;
  // A tile takes a part of each row's line; the rest is taken while the line is still in L1d.
  const rowSteps = rowStepsOf(widest, elementBytes, linesThatFit(tuning.target.geometry.l1d, rowStrideBytes));
  const bands = stretchesOf(node.rows, rowSteps, rowsFirst ? order.rowsAtOnce : line).map((rows): Band => {
    const most = Math.min(mostColumns(rows, line), line);
    const columnSteps = columnStepsOf(widest, elementBytes, rows.step);
    return { rows, columns: stretchesOf(node.columns, columnSteps, rowsFirst ? most : order.columnsAtOnce) };
  });
  return {
    order: rowsFirst ? "rows first" : "columns first",
    fenced: !rowsFirst && order.fenced === true,
    bands,
  };
}

const mostColumns = (rows: Stretch, line: number): number =>
  Math.max(1, Math.floor(MOST_TILES / rows.group)) * Math.min(MOST_COLUMNS_A_ROUND, line);

const hasTwoLanes = (widest: number): boolean => widest > XMM_BYTES;

/** Tiles for elements of so many bytes, the most efficient first: rows that they take, so many at most. */
function rowStepsOf(widest: number, elementBytes: number, most: number): readonly number[] {
  const lane = XMM_BYTES / elementBytes;
  const steps = hasTwoLanes(widest) ? [2 * lane] : [];
  for (let rows = lane; rows * elementBytes >= LEAST_PIECE_BYTES; rows /= 2) steps.push(rows);
  return steps.filter((rows) => rows <= most);
}

/** Columns that a tile of `rows` rows may take, the most efficient first. */
function columnStepsOf(widest: number, elementBytes: number, rows: number): readonly number[] {
  const lane = XMM_BYTES / elementBytes;
  const isWide = hasTwoLanes(widest);
  if (rows < lane) return isWide ? [2 * lane, lane] : [lane];
  const takesTwo = isWide && (rows === lane ? lane <= MOST_COLUMNS : elementBytes === WORD_BYTES);
  const steps = takesTwo ? [2 * lane] : [];
  for (let columns = Math.min(lane, MOST_COLUMNS); columns * elementBytes >= LEAST_LOAD_BYTES; columns /= 2)
    steps.push(columns);
  return steps;
}

/**
 * Covers [0, count) by steps of the lengths given, longest first; the last step overlaps the one before it where it
 * would reach past the end. What is shorter than every step stays uncovered.
 */
function stretchesOf(count: number, steps: readonly number[], longestGroup: number): readonly Stretch[] {
  const step = steps.find((each) => each <= count);
  if (step === undefined) return [];
  const whole = Math.floor(count / step);
  const group = Math.max(1, Math.min(whole, Math.floor(longestGroup / step)));
  const rounds = Math.floor(whole / group);
  const stretches: Stretch[] = [{ at: 0, step, group, rounds }];
  const grouped = rounds * group;
  if (grouped < whole) stretches.push({ at: grouped * step, step, group: whole - grouped, rounds: 1 });
  if (whole * step < count) stretches.push({ at: count - step, step, group: 1, rounds: 1 });
  return stretches;
}

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
