import type { Choice } from "../loops/rule.js";
import type { CopyPlan, LevelPlan, NestsPlan } from "./copy-plan.js";
import type { NestOfPairs, PairPlan } from "./pair-plan.js";
import { PAIRING_RULES } from "./plan-copy.js";
import { COPY_MODE_RULES } from "./plan-level.js";
import { NEST_RULES } from "./plan-nest.js";

type Rules = readonly { readonly name: string }[];

/**
 * A plan as text: how the layouts pair, and of each nest the rule that ordered it and why the rules before it did not.
 */
export function explainCopy({ pairing, elements, inner, bufferBytes, stepBytes }: CopyPlan): string {
  return [
    `; copy: ${pairing.rule}`,
    ...passedText(pairing, PAIRING_RULES),
    ...(elements === undefined ? [] : levelText("any number of children", elements)),
    ...(inner === undefined ? [] : levelText("the children inside one element", inner)),
    `; all else by ${stepBytes} bytes through ${bufferBytes} on the stack`,
  ].join("\n");
}

const passedText = ({ passed }: Pick<Choice<object>, "passed">, rules: Rules): readonly string[] =>
  passed.map((reason, i) => `;     no ${rules[i]?.name ?? "rule"}: ${reason}`);

function levelText(title: string, { unitBytes, cached, outOfCache }: LevelPlan): readonly string[] {
  const lines = [`; ${title}, ${unitBytes} bytes each, in the caches`, ...nestsText(cached)];
  if (outOfCache === undefined) return lines;
  const { rule, fromChildren, alignmentBytes } = outOfCache;
  return [
    ...lines,
    `; from ${fromChildren} on, target aligned to ${alignmentBytes}: ${rule}`,
    ...passedText(outOfCache, COPY_MODE_RULES),
    ...nestsText(outOfCache),
  ];
}

const nestsText = ({ nests }: NestsPlan): readonly string[] =>
  nests.flatMap(({ children, pair }) => [
    `;   ${children} at a time: ${pairText(pair)}`,
    ...nestsIn(pair).flatMap((nest) => passedText(nest, NEST_RULES)),
  ]);

function pairText(pair: PairPlan): string {
  switch (pair.kind) {
    case "run":
      return `a run of ${pair.lengthBytes} bytes`;
    case "loop": {
      const rounds = pair.rounds === 0 ? "written out" : `rounds of ${pair.perRound}`;
      return `${pair.count} (${rounds}), ${pair.sourceBytes} and ${pair.targetBytes} bytes apart, of ${pairText(pair.child)}`;
    }
    case "walk": {
      const entries = pair.displacementsBytes.length / 2;
      const rounds = pair.moves === undefined ? "one by one" : `rounds of ${pair.moves.perRound}`;
      return `${entries} by a table (${rounds}) of ${pairText(pair.child)}`;
    }
    case "overlaps":
      return `${pair.displacementsBytes.length / 3} runs of varying length by a table (rounds of ${pair.moves.perRound})`;
    case "members":
      return `${pair.members.length} members: ${pair.members.map((member) => pairText(member.pair)).join("; ")}`;
    case "nest":
      return `${pair.rule}: ${pairText(pair.pair)}`;
    case "transposed": {
      const { rows, columns, elementBytes } = pair.transposed;
      return `${rows} by ${columns} elements of ${elementBytes} bytes, transposed, ${pair.plan.order}`;
    }
  }
}

function nestsIn(pair: PairPlan): readonly NestOfPairs[] {
  switch (pair.kind) {
    case "nest":
      return [pair];
    case "loop":
    case "walk":
      return nestsIn(pair.child);
    case "members":
      return pair.members.flatMap((member) => nestsIn(member.pair));
    case "run":
    case "overlaps":
    case "transposed":
      return [];
  }
}
