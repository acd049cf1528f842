import type { LayoutNode } from "@stowage/ir";
import type { Width } from "../../../widths.js";
import type { LengthPlan } from "../../length-plan.js";
import { widestMoveOf } from "../../loop-context.js";
import type { Rule } from "../../rule.js";

/** Most moves of a run that are written out without a loop. Loops of 1, 2, 4 or 8 moves differ by nothing. */
const MOST_MOVES = 16;

const WRITTEN_OUT: LengthPlan = { what: "written out" };

/** Few moves one after another: no counter, no jump, and the last one overlaps the one before it. */
export const writtenOut: Rule<number, LengthPlan> = {
  name: "written out",
  plan: (context, lengthBytes) =>
    isShortLength(lengthBytes, widestMoveOf(context)) ? WRITTEN_OUT : "more moves than are written out",
};

export const isShortLength = (lengthBytes: number, widest: Width): boolean => lengthBytes <= MOST_MOVES * widest;

export const isShortRun = (node: LayoutNode, widest: Width): boolean =>
  node.kind === "dense" && isShortLength(node.lengthBytes, widest);
