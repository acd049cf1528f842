import { isRuns, type Blocks, type LayoutNode, type Stream } from "@stowage/ir";
import type { LengthPlan } from "./length-plan.js";
import type { ModePlan } from "./mode-plan.js";
import type { Choice } from "./rule.js";
import type { RunsPlan } from "./runs-plan.js";
import type { StreamPlan } from "./stream-plan.js";
import type { WalkPlan } from "./walk-plan.js";

/** One loop of a layout in one mode of a launch. */
export type PlannedLoop =
  | {
      readonly what: "stream";
      readonly node: Stream;
      /** Whether it moves as many children as are asked for when it runs. */
      readonly isCounted: boolean;
      readonly plan: StreamPlan;
    }
  | { readonly what: "table"; readonly node: Blocks; readonly choice: Choice<WalkPlan> }
  | { readonly what: "runs"; readonly node: Blocks; readonly choice: Choice<RunsPlan> }
  | { readonly what: "run"; readonly lengthBytes: number; readonly choice: Choice<LengthPlan> };

/** In the order in which the emitter comes to them, each once; runs that are written out are no loops. */
export function loopsOf(mode: ModePlan, elements: Stream): readonly PlannedLoop[] {
  const loops: PlannedLoop[] = [
    { what: "stream", node: elements, isCounted: true, plan: mode.countedStream(elements) },
  ];
  const seen = new Set<LayoutNode>();
  const visit = (node: LayoutNode): void => {
    if (seen.has(node) || node.sizeBytes === 0) return;
    seen.add(node);
    const { what } = mode.node(node).plan;
    if (what === "unrolled") return;
    const loop = loopOf(mode, node, what === "called");
    if (loop !== undefined) loops.push(loop);
    for (const child of childrenOf(node)) visit(child);
  };
  for (const child of childrenOf(elements)) visit(child);
  return loops;
}

function loopOf(mode: ModePlan, node: LayoutNode, isCounted: boolean): PlannedLoop | undefined {
  switch (node.kind) {
    case "dense": {
      const choice = mode.length(node.lengthBytes);
      return choice.plan.what === "written out" ? undefined : { what: "run", lengthBytes: node.lengthBytes, choice };
    }
    case "stream":
      return { what: "stream", node, isCounted, plan: isCounted ? mode.countedStream(node) : mode.stream(node) };
    case "blocks":
      if (node.blocklengths !== 1) return isRuns(node) ? { what: "runs", node, choice: mode.runs(node) } : undefined;
      return { what: "table", node, choice: isCounted ? mode.countedWalk(node) : mode.walk(node) };
    case "sequence":
      return undefined;
  }
}

function childrenOf(node: LayoutNode): readonly LayoutNode[] {
  if (node.kind === "dense" || (node.kind === "blocks" && isRuns(node) && node.blocklengths !== 1)) return [];
  return node.kind === "sequence" ? node.members.map((member) => member.node) : [node.child];
}
