import type { Reduction } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import type { FeatureLevel } from "../feature-level.js";
import type { Choice, Rule } from "../loops/rule.js";
import type { Recipe } from "./vector-recipes.js";

/** What arrives, and what is there. */
export interface Reduced {
  readonly target: Layout;
  readonly reduction: Reduction;
}

/** Where elements are combined. */
export type ReduceWay =
  | { readonly what: "in place" }
  | {
      readonly what: "through a buffer";
      readonly bufferBytes: number;
      /** Whether no step goes past the end of an element. */
      readonly endsWithElements: boolean;
    };

/** How elements side by side are combined: so many vectors at a time, or one by one in general registers. */
export type Combination =
  | { readonly what: "vectors"; readonly recipe: Recipe; readonly together: number }
  | { readonly what: "elements" };

export type ReduceRule<Plan extends object> = Rule<Reduced, Plan, { readonly level: FeatureLevel }>;

/** How a reduction is run: what the emitter writes, and explain prints. */
export interface ReducePlan {
  readonly target: Layout;
  readonly reduction: Reduction;
  readonly way: Choice<ReduceWay>;
  readonly combination: Choice<Combination>;
}
