import type { Layout, LayoutNode, Stream } from "@stowage/ir";
import { planElements } from "./elements-plan.js";
import type { LoopContext } from "./loop-context.js";
import { ModePlan } from "./mode-plan.js";
import type { OutOfCache } from "./out-of-cache.js";
import type { StreamPlan } from "./stream-plan.js";

/** One loop over the children of a stream. */
export interface PlannedLoop {
  readonly node: Stream;
  /** Whether it moves as many children as are asked for when it runs. */
  readonly isCounted: boolean;
  readonly plan: StreamPlan;
}

/** The loops of a launch in one mode. */
export interface ModeLoops {
  /** undefined: the launch is in the caches. */
  readonly outOfCache: OutOfCache | undefined;
  /** Packed bytes of a full pack from which the mode is taken, where the target's address is a multiple of `alignmentBytes`. */
  readonly fromBytes: number;
  readonly alignmentBytes: number;
  readonly loops: readonly PlannedLoop[];
}

/** How the loops of a layout are written: in the caches, then out of them, the best mode first. */
export type LoopPlan = readonly ModeLoops[];

/** The plan by which a layout is packed or unpacked, in the mode of `context` and out of cache. */
export function planLoops(layout: Layout, context: LoopContext): LoopPlan {
  const cached = new ModePlan(context);
  const { elements, outOfCache } = planElements(cached, layout, context.tuning.nonTemporalBytes);
  const inMode = (plan: ModePlan, fromBytes: number, alignmentBytes: number): ModeLoops =>
    Object.freeze({
      outOfCache: plan.context.outOfCache,
      fromBytes,
      alignmentBytes,
      loops: Object.freeze(loopsOf(plan, elements)),
    });
  return Object.freeze([
    inMode(cached, 0, 1),
    ...outOfCache.map(({ plan, fullBytes, alignmentBytes }) => inMode(plan, fullBytes, alignmentBytes)),
  ]);
}

/** In the order in which the emitter comes to them, each once. */
function loopsOf(mode: ModePlan, elements: Stream): PlannedLoop[] {
  const loops: PlannedLoop[] = [{ node: elements, isCounted: true, plan: mode.countedStream(elements) }];
  const seen = new Set<LayoutNode>();
  const visit = (node: LayoutNode): void => {
    if (seen.has(node) || node.sizeBytes === 0) return;
    seen.add(node);
    const way = mode.way(node);
    if (node.kind === "stream" && way !== "unrolled") {
      const isCounted = way === "called";
      loops.push({ node, isCounted, plan: isCounted ? mode.countedStream(node) : mode.stream(node) });
    }
    if (way !== "unrolled") for (const child of childrenOf(node)) visit(child);
  };
  for (const child of childrenOf(elements)) visit(child);
  return loops;
}

function childrenOf(node: LayoutNode): readonly LayoutNode[] {
  if (node.kind === "dense") return [];
  return node.kind === "sequence" ? node.members.map((member) => member.node) : [node.child];
}
