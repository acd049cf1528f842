import { distinctNodes, type Layout } from "@stowage/ir";
import { withEvenBlocks } from "./even-blocks.js";
import type { LoopContext } from "./loop-context.js";
import { reasonAgainstSorting, repaysSorting } from "./rules/walks/sorted-entries.js";

/** Whether the expected calls have a table of a layout unpacked in the order of addresses. */
export const hasSortedTable = (layout: Layout, context: LoopContext): boolean =>
  repaysSorting(context) &&
  [...distinctNodes(withEvenBlocks(layout, context.tuning).root)].some(
    (node) => node.kind === "blocks" && reasonAgainstSorting(context, node) === undefined,
  );
