import { isRuns, type Blocks, type LayoutNode, type Stream } from "@stowage/ir";
import type { LoopPlan, ModePlan } from "./loop-plan.js";
import type { LengthPlan, RunsPlan, StreamPlan, WalkPlan } from "./plans.js";
import { LENGTH_RULES, RUNS_RULES, STREAM_RULES, WALK_RULES } from "./rule-lists.js";
import type { Choice, PassedRule } from "./rule.js";

/** A plan as text: of each loop the rule that fired, what it does, and why the rules before it did not. */
export function explainLoops(plan: LoopPlan): string {
  if (plan.layout.sizeBytes === 0) return "; no loops: nothing is moved";
  if (plan.isOneRun) return "; no loops: a copy of bytes";
  const modes = plan.outOfCache.flatMap(({ rule, plan: mode, fullBytes, alignmentBytes }) => {
    const aligned = alignmentBytes === 1 ? "" : `, target aligned to ${alignmentBytes}`;
    return modeText(`full packs of ${fullBytes} bytes and more${aligned}: ${rule}`, mode, plan.elements);
  });
  const passed = plan.passed.map(({ rule, reason }) => `; no ${rule}: ${reason}`);
  return [...modeText("in the caches", plan.cached, plan.elements), ...modes, ...passed].join("\n");
}

const modeText = (title: string, mode: ModePlan, elements: Stream): readonly string[] => [
  `; loops, ${title}`,
  ...loopsOf(mode, elements).flatMap(loopText),
];

function loopText(loop: PlannedLoop): readonly string[] {
  switch (loop.what) {
    case "stream": {
      const count = loop.isCounted ? "any number" : String(loop.node.count);
      const subject = `${count} of ${childText(loop.node.child)}, ${loop.node.strideBytes} bytes apart`;
      return entry(subject, streamText(loop.plan), loop.plan.passed, STREAM_RULES);
    }
    case "table":
      return entry(tableText(loop.node), loop.choice.rule, loop.choice.passed, WALK_RULES);
    case "runs":
      return entry(tableText(loop.node), loop.choice.rule, loop.choice.passed, RUNS_RULES);
    case "run":
      return entry(`a run of ${loop.lengthBytes} bytes`, loop.choice.rule, loop.choice.passed, LENGTH_RULES);
  }
}

/** What is moved, what moves it, and the rules that were asked before. */
const entry = (
  subject: string,
  plan: string,
  passed: readonly string[],
  rules: readonly { readonly name: string }[],
): readonly string[] => [
  `;   ${subject}: ${plan}`,
  ...passed.map((reason, i): PassedRule => ({ rule: rules[i]?.name ?? "rule", reason })).map(passedText),
];

const passedText = ({ rule, reason }: PassedRule): string => `;     no ${rule}: ${reason}`;

const childText = (child: LayoutNode): string =>
  child.kind === "dense" ? `a run of ${child.lengthBytes} bytes` : `${child.kind} of ${child.sizeBytes} bytes`;

const tableText = ({ displacementsBytes, blocklengths, child }: Blocks): string =>
  blocklengths === 1
    ? `${displacementsBytes.length} of ${childText(child)} by a table`
    : `${displacementsBytes.length} blocks of varying length by a table`;

function streamText({ rule, rounds, nops }: StreamPlan): string {
  const padding = nops === 0 ? "" : `, ${nops} NOPs behind each`;
  return `${rule}, rounds of ${rounds.map(({ children }) => children).join(", then ")}${padding}`;
}

/** One loop of a layout in one mode of a launch. */
type PlannedLoop =
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
function loopsOf(mode: ModePlan, elements: Stream): readonly PlannedLoop[] {
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
