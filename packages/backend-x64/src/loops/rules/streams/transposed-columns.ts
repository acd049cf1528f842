import { conflictsInSets, LINE_BYTES } from "../../facts/cache.js";
import {
  BLOCK_BYTES,
  columnBytesOf,
  columnsOf,
  columnsOfBlock,
  OUT_OF_CACHE_BLOCK_BYTES,
  type Columns,
} from "../../facts/columns.js";
import { planTranspose, transposeOrder } from "../../facts/transposes.js";
import type { LoopContext } from "../../loop-context.js";
import type { Transposed } from "../../plans.js";
import type { StreamRule } from "../../rule.js";

/**
 * Neighbouring columns of single elements: tiles of several columns through registers. Moved one by one, each element
 * is a load and a store, and each row's line is fetched for every column of it. Elements of 1, 2 and 4 bytes take 3 to
 * 26 times as long one by one on a Zen 4; columns of FFT2 were packed 1.1 to 1.8 and unpacked 1.4 to 2 times as fast by
 * blocks of rows as by lines.
 */
export const transposedColumns: StreamRule = {
  name: "transposed columns",
  plan(context, { node, most }) {
    const columns = columnsOf(context, node.child, node.strideBytes);
    if (columns === undefined) return "children are no neighbouring columns of single elements";
    const counts = columnsAtOnce(context, columns).filter((children) => children <= most);
    if (counts.length === 0) return "fewer columns than a tile takes";
    return counts.map((children) => {
      const transposed = transposedOf(context, columns, children);
      const plan = planTranspose(context, transposed, transposeOrder(context, columns, children));
      return { what: "columns", children, transposed, plan };
    });
  },
};

/** Memory has rows, the packed stream columns: packing transposes one way, unpacking the other. */
function transposedOf({ direction }: LoopContext, columns: Columns, children: number): Transposed {
  const { elementBytes, rows, rowStrideBytes } = columns;
  const columnBytes = columnBytesOf(columns);
  return direction === "pack"
    ? { elementBytes, rows, rowStrideBytes, columns: children, columnStrideBytes: columnBytes }
    : { elementBytes, rows: children, rowStrideBytes: columnBytes, columns: rows, columnStrideBytes: rowStrideBytes };
}

/**
 * Bytes of a row where fewer columns are left than a block has, down to the fewest packed columns that a tile takes.
 */
const NARROW_BYTES: readonly number[] = [LINE_BYTES, LINE_BYTES / 2, LINE_BYTES / 4, LINE_BYTES / 8];

/** Bytes of a row where rows conflict in one set of L1d or two: each further round fetches all of their lines again. */
const CONFLICTING_BYTES: readonly number[] = [2 * LINE_BYTES, ...NARROW_BYTES];

/**
 * Columns that are moved together, the most first: no more than packed columns' lines fit into L1d. Where
 * rows lie nearer than a block is wide, blocks would overlap.
 */
function columnsAtOnce(context: LoopContext, columns: Columns): readonly number[] {
  const { elementBytes, rowStrideBytes } = columns;
  const { l1d } = context.tuning.target.geometry;
  if (context.outOfCache?.what === "columns") return outOfCacheAtOnce(context, columns);
  const block =
    context.direction === "pack"
      ? Math.max(LINE_BYTES, columnsOfBlock(l1d, elementBytes, columnBytesOf(columns)) * elementBytes)
      : BLOCK_BYTES;
  const widths = [...new Set([block, ...(conflictsInSets(l1d, rowStrideBytes) ? CONFLICTING_BYTES : NARROW_BYTES)])];
  return widths
    .filter((bytes) => bytes > elementBytes && bytes <= Math.abs(rowStrideBytes))
    .map((bytes) => bytes / elementBytes);
}

/** Non-temporal stores have no set conflicts, and need full lines. */
function outOfCacheAtOnce({ direction }: LoopContext, { elementBytes, rowStrideBytes }: Columns): readonly number[] {
  const block = direction === "pack" ? OUT_OF_CACHE_BLOCK_BYTES : BLOCK_BYTES;
  return [block, LINE_BYTES].filter((bytes) => bytes <= Math.abs(rowStrideBytes)).map((bytes) => bytes / elementBytes);
}
