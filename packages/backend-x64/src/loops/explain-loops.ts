import type { Blocks, LayoutNode, Stream } from "@stowage/ir";
import { LENGTH_RULES } from "./plan-length.js";
import { RUNS_RULES } from "./plan-runs.js";
import { STREAM_RULES } from "./plan-stream.js";
import { WALK_RULES } from "./plan-walk.js";
import { loopsOf, type PlannedLoop } from "./planned-loops.js";
import type { LoopPlan } from "./loop-plan.js";
import type { ModePlan } from "./mode-plan.js";
import type { PassedRule } from "./rule.js";
import type { StreamPlan } from "./stream-plan.js";

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

function streamText({ rule, rounds, nops, otherwise }: StreamPlan): string {
  const padding = nops === 0 ? "" : `, ${nops} NOPs behind each`;
  const instead = otherwise === undefined ? "" : `; without registers ${streamText(otherwise)}`;
  return `${rule}, rounds of ${rounds.map(({ children }) => children).join(", then ")}${padding}${instead}`;
}
