import { contiguous, hindexed, indexed, indexedBlock, predefined, resized, struct, vector } from "@stowage/ir";
import { datatypeOf, goldenTypes } from "../golden/golden-types.js";
import type { SteppedType } from "./step-cases.js";

const double = predefined("MPI_DOUBLE");
const int = predefined("MPI_INT");
const column = vector(40, 1, 5, double);
const nested = vector(3, 2, 4, resized(-8, 200, indexed([3, 1, 7, 2], [0, 9, 20, 11], int)));
const places = Int32Array.from({ length: 300 }, (_, i) => 3 * i + (i % 7 === 0 ? 1 : 0));

/** Loops, tables, nests whose counters and walks lie on the stack, runs of all lengths, copies through each way. */
export const steppedTypes: readonly SteppedType[] = [
  { datatype: column, copiesTo: contiguous(40, double) },
  { datatype: contiguous(40, double), copiesTo: column },
  { datatype: vector(40, 1, 5, double), copiesTo: vector(40, 1, 9, double) },
  { datatype: indexedBlock(1, places, int), copiesTo: vector(150, 2, 3, int) },
  { datatype: nested, copiesTo: indexed([78], [3], int) },
  { datatype: struct([3, 1], [0, 40], [int, vector(5, 1, 3, double)]) },
  { datatype: vector(4, 3, 5, vector(5, 2, 4, vector(6, 1, 3, int))), copiesTo: contiguous(720, int) },
  { datatype: hindexed([1, 30, 3, 100, 17, 1], [0, 20, 300, 1000, 800, 400], int) },
  { datatype: contiguous(5000, int), copiesTo: vector(5, 1000, 1001, int) },
  { datatype: vector(9, 1, -3, indexedBlock(2, [9, 0, 4, 17, 30], double)) },
];

/** One golden type of so many, where it is not too long to step through. */
export const goldenSteps = (step: number): readonly SteppedType[] =>
  goldenTypes()
    .filter((each, i) => i % step === 0 && each.size > 0 && each.size < 2 ** 16 && each.buffer < 2 ** 24)
    .map((each) => ({ datatype: datatypeOf(each) }));
