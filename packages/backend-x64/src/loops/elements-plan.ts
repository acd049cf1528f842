import { stream, type Layout, type Stream } from "@stowage/ir";
import { LEAST_NON_TEMPORAL_BYTES } from "../options.js";
import type { LoopContext } from "./loop-context.js";
import { ModePlan } from "./mode-plan.js";
import { MOST_IMMEDIATE, outOfCachePlansOf, type OutOfCachePlan } from "./out-of-cache-plans.js";

/** How elements are moved that the caches do not hold, and from which sizes on. */
export interface OutOfCacheMode {
  readonly plan: ModePlan;
  /** What must divide the target's address. */
  readonly alignmentBytes: number;
  /** Packed bytes of a full pack. */
  readonly fullBytes: number;
  /** Packed bytes of a partial pack, and of the full pack that it is a part of. */
  readonly parts: LeastOfParts;
}

interface LeastOfParts {
  readonly partBytes: number;
  readonly fullBytes: number;
}

/** How any number of elements is moved. */
export interface ElementsPlan {
  /** One element after another, or its outermost children where elements continue each other's stream. */
  readonly elements: Stream;
  /** Children of `elements` in one element. */
  readonly perElement: number;
  readonly cached: ModePlan;
  /** The best first. */
  readonly outOfCache: readonly OutOfCacheMode[];
}

/** `nonTemporalPartsBytes`: packed bytes of a full pack from which its parts are unpacked by non-temporal stores. */
export function planElements(cached: ModePlan, layout: Layout, nonTemporalPartsBytes: number): ElementsPlan {
  const { context } = cached;
  const { elements, perElement } = elementsOf(layout);
  const outOfCache = outOfCachePlansOf(context, elements, perElement).map((plan) => ({
    plan: new ModePlan({ ...context, outOfCache: plan.outOfCache }, cached),
    alignmentBytes: plan.alignmentBytes,
    fullBytes: plan.fullBytes ?? context.tuning.nonTemporalBytes,
    parts: leastOfParts(context, plan, nonTemporalPartsBytes),
  }));
  return { elements, perElement, cached, outOfCache };
}

/** Elements side by side that continue each other's stream are one longer stream. */
function elementsOf({ root, extentBytes }: Layout): Pick<ElementsPlan, "elements" | "perElement"> {
  if (root.kind === "stream" && extentBytes === root.count * root.strideBytes) {
    return { elements: stream(1, root.strideBytes, root.child), perElement: root.count };
  }
  return { elements: stream(1, extentBytes, root), perElement: 1 };
}

/**
 * Least sizes of partial packs and of the full pack for a plan. Partial packs are non-temporal if they are as long as a
 * non-temporal full pack, as slices for threads are; partial unpacks if the full unpack is, since they write the same
 * memory. Shorter partial packs stay in the cache: the caller may send each from one buffer. A plan with a size of its own
 * applies it to partial packs too.
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
