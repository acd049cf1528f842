import type { FeatureLevel } from "../feature-level.js";
import { choose } from "../loops/rule.js";
import type { Combination, Reduced, ReducePlan, ReduceRule, ReduceWay } from "./reduce-plan.js";
import { combinedElements } from "./rules/combined-elements.js";
import { combinedVectors } from "./rules/combined-vectors.js";
import { elementBuffers } from "./rules/element-buffers.js";
import { inPlace } from "./rules/in-place.js";
import { wholeBuffers } from "./rules/whole-buffers.js";

/** In the order in which they are asked; the last one of each always gives a plan. */
export const WAY_RULES: readonly ReduceRule<ReduceWay>[] = [inPlace, wholeBuffers, elementBuffers];
export const COMBINATION_RULES: readonly ReduceRule<Combination>[] = [combinedVectors, combinedElements];

/** The plan by which any number of elements is combined with what arrives. */
export const planReduction = (reduced: Reduced, level: FeatureLevel): ReducePlan =>
  Object.freeze({
    ...reduced,
    way: choose(WAY_RULES, { level }, reduced),
    combination: choose(COMBINATION_RULES, { level }, reduced),
  });

/** A plan as text: what fired, and why the rules before it did not. */
export const explainReduction = ({ way, combination }: ReducePlan): string =>
  [
    `; reduction: ${way.rule}`,
    ...passedText(way.passed, WAY_RULES),
    `; combined by ${combination.rule}`,
    ...passedText(combination.passed, COMBINATION_RULES),
  ].join("\n");

const passedText = (passed: readonly string[], rules: readonly { readonly name: string }[]): readonly string[] =>
  passed.map((reason, i) => `;     no ${rules[i]?.name ?? "rule"}: ${reason}`);
