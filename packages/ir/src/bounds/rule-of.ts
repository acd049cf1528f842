import { quoted } from "../checks/quoted.js";
import { requireOptions } from "../checks/require-argument.js";
import { ArgumentError } from "../errors.js";
import type { BoundsOptions, BoundsRule } from "./bounds.js";

const RULES: readonly BoundsRule[] = ["standard", "open-mpi", "mpich"];
const KNOWN = ["bounds"];

/** The rule that the options ask for, the standard's unless they do. */
export function ruleOf(options: BoundsOptions): BoundsRule {
  requireOptions(options, "options of bounds", KNOWN);
  const { bounds = "standard" } = options;
  if (RULES.includes(bounds)) return bounds;
  throw new ArgumentError("bounds", `one of ${RULES.join(", ")}`, quoted(bounds));
}
