import { stream, type Layout } from "@stowage/ir";
import { LEAST_NON_TEMPORAL_BYTES } from "../options.js";
import { MOST_IMMEDIATE } from "../widths.js";
import { withEvenBlocks } from "./even-blocks.js";
import type { LoopContext } from "./loop-context.js";
import type { LeastOfParts, LoopPlan } from "./loop-plan.js";
import { ModePlan } from "./mode-plan.js";
import type { OutOfCachePlan } from "./out-of-cache-rule.js";
import { chooseOutOfCache, type OutOfCacheChoice } from "./plan-out-of-cache.js";

const NO_LOOPS: OutOfCacheChoice = { plans: [], passed: [] };

/** Whether the elements of a layout are one run, whatever their number. */
export const isRun = ({ root, extentBytes, sizeBytes }: Layout): boolean =>
  root.kind === "dense" && extentBytes === sizeBytes;

/**
 * The plan by which any number of elements of a layout is packed or unpacked. `nonTemporalPartsBytes`: packed bytes of
 * a full pack from which its parts are unpacked by non-temporal stores.
 */
export function planLoops(scattered: Layout, context: LoopContext, nonTemporalPartsBytes: number): LoopPlan {
  const layout = withEvenBlocks(scattered, context.tuning);
  const cached = new ModePlan(context);
  const { elements, perElement } = elementsOf(layout);
  const isOneRun = isRun(layout);
  const isLooped = layout.sizeBytes > 0 && !isOneRun;
  const { plans, passed } = isLooped ? chooseOutOfCache(context, elements, perElement) : NO_LOOPS;
  const outOfCache = plans.map((plan) =>
    Object.freeze({
      rule: plan.rule,
      plan: new ModePlan({ ...context, outOfCache: plan.outOfCache }, cached),
      alignmentBytes: plan.alignmentBytes,
      fullBytes: plan.fullBytes ?? context.tuning.nonTemporalBytes,
      parts: leastOfParts(context, plan, nonTemporalPartsBytes),
    }),
  );
  return Object.freeze({ layout, isOneRun, elements, perElement, cached, outOfCache, passed });
}

/** Elements side by side that continue each other's stream are one longer stream. */
function elementsOf({ root, extentBytes }: Layout): Pick<LoopPlan, "elements" | "perElement"> {
  if (root.kind === "stream" && extentBytes === root.count * root.strideBytes) {
    return { elements: stream(1, root.strideBytes, root.child), perElement: root.count };
  }
  return { elements: stream(1, extentBytes, root), perElement: 1 };
}

/**
 * Least sizes of partial packs and of the full pack for a plan. Partial packs are non-temporal if they are as long as a
 * non-temporal full pack, as slices for threads are; partial unpacks if the full unpack is, since they write the same
 * memory. Shorter partial packs stay in the cache: the caller may send each from one buffer. A plan with a size of its
 * own applies it to partial packs too.
 */
function leastOfParts(
  { direction, tuning }: LoopContext,
  plan: OutOfCachePlan,
  nonTemporalPartsBytes: number,
): LeastOfParts {
  const least = tuning.nonTemporalBytes;
  if (plan.fullBytes !== undefined)
    return { partBytes: Math.min(LEAST_NON_TEMPORAL_BYTES, plan.fullBytes), fullBytes: plan.fullBytes };
  if (direction === "pack" || nonTemporalPartsBytes > MOST_IMMEDIATE) return { partBytes: least, fullBytes: least };
  return { partBytes: Math.min(LEAST_NON_TEMPORAL_BYTES, least), fullBytes: nonTemporalPartsBytes };
}
