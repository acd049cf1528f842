import { narrowest, type IntegerTable } from "../integer-table.js";
import type { ShapeTable } from "./shape-table.js";

/** Parts in packed order: where each stands, and what it is. Without shapes, all are shape 0. */
export interface Items {
  readonly offsets: IntegerTable;
  readonly shapes: IntegerTable | undefined;
}

/** More changes of stride, count or shape from run to run than one in so many items: no regularity worth having. */
const ITEMS_PER_CHANGE = 4;

/** Lists shorter than this are always tried: giving up early saves nothing. */
const SHORT = 16;

/**
 * One level of grouping: maximal runs of equal shapes at a constant stride become one item each. Undefined where no
 * run is longer than one item, or where the runs are so unlike that the list has no regularity.
 */
export function groupRuns(items: Items, shapes: ShapeTable): Items | undefined {
  const { offsets } = items;
  const runCount = countRuns(items);
  if (runCount === undefined || runCount === offsets.length) return undefined;
  const starts = new Float64Array(runCount);
  const ids = new Float64Array(runCount);
  for (let run = 0, at = 0; run < runCount; run++) {
    const end = runEnd(offsets, items.shapes, at);
    const strideBytes = end - at === 1 ? 0 : (offsets[at + 1] as number) - (offsets[at] as number);
    starts[run] = offsets[at] as number;
    ids[run] = shapes.streamOf(items.shapes?.[at] ?? shapes.only, end - at, strideBytes);
    at = end;
  }
  return { offsets: narrowest(starts), shapes: narrowest(ids) };
}

/** How many maximal runs there are; undefined once too many of them differ from the one before. */
function countRuns(items: Items): number | undefined {
  const { offsets, shapes } = items;
  const most = Math.max(SHORT, offsets.length / ITEMS_PER_CHANGE);
  let changes = 0;
  let runs = 0;
  let lastCount = 0;
  let lastStride = 0;
  let lastShape = shapes?.[0];
  for (let at = 0; at < offsets.length; runs++) {
    const shape = shapes?.[at];
    const end = runEnd(offsets, shapes, at);
    const count = end - at;
    const stride = count === 1 ? 0 : (offsets[at + 1] as number) - (offsets[at] as number);
    if (count !== lastCount || stride !== lastStride || shape !== lastShape) if (++changes > most) return undefined;
    lastCount = count;
    lastStride = stride;
    lastShape = shape;
    at = end;
  }
  return runs;
}

/** One past the last item of the run that begins at `at`. */
function runEnd(offsets: IntegerTable, shapes: IntegerTable | undefined, at: number): number {
  let end = at + 1;
  if (end >= offsets.length || (shapes !== undefined && shapes[end] !== shapes[at])) return end;
  const stride = (offsets[end] as number) - (offsets[at] as number);
  let next = (offsets[end] as number) + stride;
  for (end++; end < offsets.length && offsets[end] === next; end++) {
    if (shapes !== undefined && shapes[end] !== shapes[at]) break;
    next += stride;
  }
  return end;
}
