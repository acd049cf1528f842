import type { BoundsRule } from "@stowage/ir";
import { basename } from "node:path";

/** The rules of bounds that `verify --bounds` takes. */
export const BOUNDS_RULES: readonly BoundsRule[] = ["standard", "open-mpi", "mpich"];

/** The rule of the MPI that a golden file's name begins with, as openmpi-4.1.4.jsonl; the standard's for any other. */
export function ruleOfFile(path: string): BoundsRule {
  const name = basename(path).toLowerCase();
  if (/^open-?mpi/.test(name)) return "open-mpi";
  return name.startsWith("mpich") ? "mpich" : "standard";
}
