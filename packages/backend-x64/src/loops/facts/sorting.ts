import { distinctNodes, type Blocks, type IntegerTable, type Layout } from "@stowage/ir";
import { llcBytesOf } from "../../targets/thresholds.js";
import { withEvenBlocks } from "../even-blocks.js";
import { widestMoveOf, type LoopContext } from "../loop-context.js";
import { LINE_BYTES } from "./cache.js";
import { isShortRun } from "./lengths.js";

/** What a block costs the commit more (S), and what it saves a call at least (G): results/epyc/sorted-tables.json. */
const SORTING_NS = 50;
const SAVED_NS = 0.2;
const LEAST_CALLS = SORTING_NS / SAVED_NS;

/**
 * Blocks of a line, from which walking them together gains: 0.65 to 1.0 of the speed at 1.1, 1.17 and 1.23 times it at
 * 1.8.
 */
const LEAST_BLOCKS_OF_LINE = 1.5;
/** The share of the LLC that blocks must reach over: 8 of 32 MiB lose, 12 gain. */
const LEAST_SHARE_REACHED = 1 / 3;
/** And the packed bytes, which are less: 12 of 32 MiB gain, 16 lose. */
const MOST_SHARE_PACKED = 1 / 2;

/** Whether so many calls repay sorting at all. */
const repaysSorting = ({ expectedCalls }: LoopContext): boolean => expectedCalls >= LEAST_CALLS;

/**
 * Why all blocks of a table are not unpacked in the order of addresses; undefined: they are, if their offsets have 32
 * bits.
 */
export function reasonAgainstSorting(context: LoopContext, node: Blocks): string | undefined {
  const { child, blocklengths, displacementsBytes } = node;
  if (context.direction === "pack") return "packing";
  if (!repaysSorting(context)) return `not ${LEAST_CALLS} calls expected, which repay sorting`;
  if (blocklengths !== 1 || !isShortRun(child, widestMoveOf(context))) return "blocks are not short runs";
  const reason = reachOf(node) >= context.tuning.sortReachBytes ? undefined : reasonOfCaches(context, node);
  return reason ?? (ascends(displacementsBytes) ? "blocks ascend already" : undefined);
}

const reachOf = ({ highBytes, lowBytes }: Blocks): number => highBytes - lowBytes;

function reasonOfCaches({ tuning }: LoopContext, node: Blocks): string | undefined {
  const [reachBytes, llcBytes] = [reachOf(node), llcBytesOf(tuning.target)];
  const linesBytes = node.displacementsBytes.length * (node.child.sizeBytes + LINE_BYTES - 1);
  if (linesBytes < LEAST_BLOCKS_OF_LINE * reachBytes) return "few blocks share a line";
  if (reachBytes < LEAST_SHARE_REACHED * llcBytes) return "the LLC holds the blocks";
  return node.sizeBytes < MOST_SHARE_PACKED * llcBytes ? undefined : "the LLC does not hold the packed bytes";
}

const ascends = (table: IntegerTable): boolean =>
  table.every((at: number, i: number) => i === 0 || (table[i - 1] as number) <= at);

/** Whether the expected calls have a table of a layout unpacked in the order of addresses. */
export const hasSortedTable = (layout: Layout, context: LoopContext): boolean =>
  repaysSorting(context) &&
  [...distinctNodes(withEvenBlocks(layout, context.tuning).root)].some(
    (node) => node.kind === "blocks" && reasonAgainstSorting(context, node) === undefined,
  );
