import { WORD_BYTES, XMM_BYTES } from "../../../widths.js";
import { LINE_BYTES, linesThatFit } from "../../cache.js";
import type { LoopContext } from "../../loop-context.js";
import { stretchesOf, type Stretch } from "../../stretches.js";
import type { Band, Transposed, TransposeOrder, TransposePlan } from "../../transpose-plan.js";

/** Columns of one tile at most: twice as many registers are then enough for every step. */
const MOST_COLUMNS = 8;
/** Tiles that are written out in one round. */
const MOST_TILES = 8;
/** Columns of a round at most, whose lines are then written one after another. */
const MOST_COLUMNS_A_ROUND = 8;
/** Shortest piece of a column that one store takes. */
const LEAST_PIECE_BYTES = 8;
/** Shortest piece of a row that one load takes. */
const LEAST_LOAD_BYTES = 4;

/** Whether tiles take elements of so many bytes. */
export const hasTiles = (elementBytes: number): boolean =>
  elementBytes <= XMM_BYTES && Number.isInteger(Math.log2(elementBytes));

/** Whether vectors save moves: columns of several rows to store at once, of rows that a load takes several of. */
export const savesMoves = (elementBytes: number, rows: number, columns: number): boolean =>
  hasTiles(elementBytes) && rows * elementBytes >= LEAST_PIECE_BYTES && columns * elementBytes >= LEAST_LOAD_BYTES;

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
