import type { LayoutNode } from "@stowage/ir";
import { LINE_BYTES } from "../../facts/cache.js";
import { columnBytesOf, columnsOf, type Columns } from "../../facts/columns.js";
import { COLUMNS } from "../../facts/large-elements.js";
import type { LoopContext } from "../../loop-context.js";
import type { OutOfCacheRule } from "../../rule.js";

/**
 * Elements of which so many stay below `nonTemporalBytes` are not worth a second copy of their code; columns gain most.
 */
const MOST_ELEMENTS = 4096;

/**
 * Columns of full lines, by tiles stored non-temporally: a target that is overwritten whole is not fetched. FFT2 at 16
 * MiB: packed 1.3 to 2.8 and unpacked 1.1 to 2.4 times as fast on a Zen 4.
 */
export const nonTemporalColumns: OutOfCacheRule = {
  name: "non-temporal columns",
  isEnough: true,
  plan(context, { stream, sizeBytes }) {
    if (sizeBytes < context.tuning.nonTemporalBytes / MOST_ELEMENTS) return "elements too small for code of their own";
    return storesColumns(context, stream) ? COLUMNS : "no columns that begin and end on lines of the target";
  },
};

/** Only columns of full lines: those of the target begin and end on line boundaries. */
function storesColumns(context: LoopContext, node: LayoutNode): boolean {
  if (node.kind !== "stream") return false;
  const columns = columnsOf(context, node.child, node.strideBytes);
  if (columns !== undefined) return fillWholeLines(context, columns);
  return (context.direction === "pack" || node.strideBytes % LINE_BYTES === 0) && storesColumns(context, node.child);
}

/** Whether columns and rows fill whole lines of the target, wherever the first one begins. */
const fillWholeLines = ({ direction }: LoopContext, columns: Columns): boolean =>
  (direction === "pack" ? columnBytesOf(columns) : columns.rowStrideBytes) % LINE_BYTES === 0;
