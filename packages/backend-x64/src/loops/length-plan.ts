/**
 * How a run of constant length is moved: written out, in rounds of so many moves, or by the copy of a run-time length.
 */
export type LengthPlan =
  | { readonly what: "written out" }
  | { readonly what: "rounds"; readonly moves: number }
  | { readonly what: "copied" };

export const COPIED: LengthPlan = { what: "copied" };
