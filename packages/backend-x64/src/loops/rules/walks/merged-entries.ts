import type { LayoutNode } from "@stowage/ir";
import { DWORD_BYTES, YMM_BYTES } from "../../../widths.js";
import { isShortRun } from "../../facts/lengths.js";
import { LEAST_STORES, mergedBlocks, merges } from "../../facts/merged-blocks.js";
import { prefetchedEntries } from "../../facts/prefetches.js";
import { widestMoveOf, type LoopContext } from "../../loop-context.js";
import type { WalkPlan } from "../../plans.js";
import type { Rule, WalkedBlocks } from "../../rule.js";

/**
 * Packing short blocks of whole words or halves of them: a store of 32 bytes for 4 doubles or 8 floats. 1.1 to 1.25
 * times as fast on LAMMPS and SPECFEM3D_oc in the caches of a Zen 4.
 */
export const mergedEntries: Rule<WalkedBlocks, WalkPlan> = {
  name: "merged entries",
  plan(context, { node }) {
    if (!isShortRun(node.child, widestMoveOf(context))) return "blocks are not short runs";
    const entries = togetherOf(context, node.child);
    if (entries === undefined) return "no packing of whole words by vectors";
    return { what: "short runs", entries, merged: true, ahead: prefetchedEntries(context, node, entries) };
  },
};

const togetherOf = (context: LoopContext, child: LayoutNode): number | undefined =>
  merges(context) && child.kind === "dense" && child.lengthBytes === DWORD_BYTES
    ? (LEAST_STORES * YMM_BYTES) / DWORD_BYTES
    : mergedBlocks(context, child);
