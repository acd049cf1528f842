import { isShort, nopsAgainstConflicts } from "../../facts/conflicts.js";
import type { StreamRule } from "../../rule.js";

/**
 * Short blocks whose lines fall into one set of L1d or two: one block a round with NOP padding behind it, so that the
 * reorder buffer holds no more loads, or stores, than the sets have ways. Packing: 1.18 over the plain loop on a Zen 4,
 * nothing on a Xeon, where it is off (strides.json, "fenced"). Unpacking: 2 on a Zen 5 (padded-stores.json).
 */
export const nopPadding: StreamRule = {
  name: "NOP padding",
  plan(context, { node }) {
    if (!isShort(node)) return "blocks are not short runs";
    if (nopsAgainstConflicts(context, node) === 0) return "no lines that conflict in sets, or no processor that gains";
    return [{ what: "single blocks", children: 1 }];
  },
};
