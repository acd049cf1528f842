import { quoted } from "../checks/quoted.js";
import { requireOptions } from "../checks/require-argument.js";
import { ArgumentError } from "../errors.js";
import type { BoundsOptions, Padding } from "./bounds.js";

const PADDINGS: readonly Padding[] = ["struct", "open-mpi", "none"];
const KNOWN = ["padding"];

/** The padding that the options ask for, "struct" unless they do. */
export function paddingOf(options: BoundsOptions): Padding {
  requireOptions(options, "options of bounds", KNOWN);
  const { padding = "struct" } = options;
  if (PADDINGS.includes(padding)) return padding;
  throw new ArgumentError("padding", `one of ${PADDINGS.join(", ")}`, quoted(padding));
}
