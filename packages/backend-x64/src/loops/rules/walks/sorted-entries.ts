import { displacementOrder, type Blocks, type IntegerTable } from "@stowage/ir";
import { LINE_BYTES } from "../../cache.js";
import { chunksOf, NO_SLACK } from "../../chunks.js";
import { widestMoveOf, type LoopContext } from "../../loop-context.js";
import { llcBytesOf } from "../../../targets/thresholds.js";
import type { Rule } from "../../rule.js";
import type { WalkedBlocks, WalkPlan } from "../../walk-plan.js";
import { isShortRun } from "../lengths/written-out.js";

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

/**
 * Displacements in ascending order, each with its place in the packed stream: unpacking then writes memory in order and
 * reads the packed bytes out of order. Prabhu and Gropp, DAME, section 3.3, Figure 14. n blocks of b bytes, each on 1 +
 * (b - 1) / 64 lines, reach over R / 64: where several share a line, and the LLC holds the packed bytes but not R, each
 * line is fetched and written back once instead of once a block. 1.27 times as fast in the mean of seven sizes on a Zen
 * 5, 0.95 to 1.69; with more packed bytes 0.5 to 0.85, in the caches 0.65 to 1.2. Sorting costs S more a block at
 * commit, and 4 more bytes: calls >= S / G repay it.
 */
export const sortedEntries: Rule<WalkedBlocks, WalkPlan> = {
  name: "sorted entries",
  plan(context, { node, isWhole }) {
    const reason = reasonAgainstSorting(context, node);
    if (reason !== undefined) return reason;
    if (!isWhole) return "a part of the table";
    const words = wordsOf(node);
    if (words === undefined) return "offsets past 32 bits";
    return { what: "sorted", words, chunks: chunksOf(node.child.sizeBytes, widestMoveOf(context), NO_SLACK) };
  },
};

/** Whether so many calls repay sorting at all. */
export const repaysSorting = ({ expectedCalls }: LoopContext): boolean => expectedCalls >= LEAST_CALLS;

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

function wordsOf(node: Blocks): Int32Array | undefined {
  const { displacementsBytes } = node;
  if (!(displacementsBytes instanceof Int32Array)) return undefined;
  const order = displacementOrder(node);
  if (order === undefined || !(order.packedBytes instanceof Int32Array)) return undefined;
  const words = new Int32Array(2 * displacementsBytes.length);
  for (let i = 0; i < order.blocks.length; i++) {
    words[2 * i] = displacementsBytes[order.blocks[i] as number] as number;
    words[2 * i + 1] = order.packedBytes[i] as number;
  }
  return words;
}
