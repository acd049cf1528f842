import type { Stream } from "@stowage/ir";
import type { LoopContext } from "./loop-context.js";
import { nopsBehind } from "./padding.js";
import { mergedBlocks } from "./rules/streams/merged-stores.js";

/** How the blocks of a stream are written out one after another. */
export interface UnrolledPlan {
  /** Blocks that are put together in registers; undefined: none. */
  readonly together: number | undefined;
  /** NOP padding behind each other block. */
  readonly nops: number;
}

export const unrolledPlanOf = (context: LoopContext, node: Stream): UnrolledPlan => ({
  together: mergedBlocks(context, node.child),
  nops: nopsBehind(context, node),
});
