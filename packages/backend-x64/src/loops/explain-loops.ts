import type { LayoutNode } from "@stowage/ir";
import { STREAM_RULES } from "./plan-stream.js";
import type { LoopPlan, ModeLoops, PlannedLoop } from "./plan-loops.js";
import type { StreamPlan } from "./stream-plan.js";

/** A plan as text: of each loop the rule that fired, its rounds, and why the rules before it did not. */
export const explainLoops = (plan: LoopPlan): string => plan.flatMap(modeText).join("\n");

function modeText({ outOfCache, fromBytes, alignmentBytes, loops }: ModeLoops): readonly string[] {
  const aligned = alignmentBytes === 1 ? "" : `, target aligned to ${alignmentBytes}`;
  const when =
    outOfCache === undefined
      ? "in the caches"
      : `full packs of ${fromBytes} bytes and more${aligned}: ${outOfCache.what}`;
  return [`; loops, ${when}`, ...loops.flatMap(loopText)];
}

function loopText({ node, isCounted, plan }: PlannedLoop): readonly string[] {
  const count = isCounted ? "any number" : String(node.count);
  return [
    `;   ${count} of ${childText(node.child)}, ${node.strideBytes} bytes apart: ${planText(plan)}`,
    ...passedText(plan),
  ];
}

const childText = (child: LayoutNode): string =>
  child.kind === "dense" ? `a run of ${child.lengthBytes} bytes` : `${child.kind} of ${child.sizeBytes} bytes`;

function planText({ rule, rounds, nops, otherwise }: StreamPlan): string {
  const padding = nops === 0 ? "" : `, ${nops} NOPs behind each`;
  const instead = otherwise === undefined ? "" : `; without registers ${planText(otherwise)}`;
  return `${rule}, rounds of ${rounds.map(({ children }) => children).join(", then ")}${padding}${instead}`;
}

const passedText = ({ passed }: StreamPlan): readonly string[] =>
  passed.map((reason, i) => `;     no ${STREAM_RULES[i]?.name ?? "rule"}: ${reason}`);
