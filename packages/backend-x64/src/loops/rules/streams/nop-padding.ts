import type { Stream } from "@stowage/ir";
import { conflictsInOneSet, conflictsInSets } from "../../cache.js";
import { widestMoveOf, type LoopContext } from "../../loop-context.js";
import { isShort } from "../../short-blocks.js";
import type { StreamRule } from "../../stream-rule.js";
import { MOST_WAITED_FOR } from "./fenced-stores.js";

/** Fewer blocks are over before they are in each other's way. */
const FEWEST_CONFLICTING = 33;
/**
 * Where all lines conflict in one set of L1d: 2.2 ns a row of 64 instead of 4.0; and in two: 1.6 instead of 2.1 of 384.
 */
const NOPS_IN_ONE_SET = 14;
const NOPS_IN_TWO_SETS = 5;
/** As many fewer for each further move of a block. */
const NOPS_A_MOVE = 4;

/**
 * Packing short blocks whose lines fall into one set of L1d or two: one block a round with NOP padding behind it, so
 * that the reorder buffer holds no more loads than the sets have ways.
 * 1.18 over the plain loop on a Zen 4, nothing on a Xeon, where it is off (strides.json, "fenced").
 */
export const nopPadding: StreamRule = {
  name: "NOP padding",
  plan(context, { node }) {
    if (!isShort(node)) return "blocks are not short runs";
    if (nopsAgainstConflicts(context, node) === 0) return "no loads that conflict in sets, or no processor that gains";
    return [{ what: "single blocks", children: 1 }];
  },
};

/**
 * NOP padding behind each load where the lines are as many as the ways of the sets they conflict in, or more; 0: none.
 */
export function nopsAgainstConflicts(context: LoopContext, { child, strideBytes, count }: Stream): number {
  const { paddedConflicts, target } = context.tuning;
  const { l1d } = target.geometry;
  if (!paddedConflicts || context.direction === "unpack" || !conflictsInSets(l1d, strideBytes)) return 0;
  if (count < FEWEST_CONFLICTING || count > MOST_WAITED_FOR) return 0;
  const nops = conflictsInOneSet(l1d, strideBytes) ? NOPS_IN_ONE_SET : NOPS_IN_TWO_SETS;
  return Math.max(0, nops - NOPS_A_MOVE * (Math.ceil(child.sizeBytes / widestMoveOf(context)) - 1));
}
