import { contiguous, predefined, resized, vector, type Datatype } from "@stowage/ir";
import type { WorkloadDefinition } from "../definition.js";
import { boxEdges } from "./powers-of-two.js";

/**
 * A row-major matrix read column by column: a column is a vector of single elements, resized to one element so that
 * the next column follows it.
 */
function transposed(rows: number, columns: number, element: Datatype, elementBytes: number): Datatype {
  return contiguous(columns, resized(0, elementBytes, vector(rows, 1, columns, element)));
}

/** A matrix of 2^scale elements, square or half as many rows as columns. */
function transpose(
  labels: Pick<WorkloadDefinition, "name" | "description" | "source">,
  element: Datatype,
  elementBytes: number,
): WorkloadDefinition {
  return {
    ...labels,
    group: "kernels",
    defaultScale: 16,
    sizeBytes: (scale) => elementBytes * 2 ** scale,
    build: (scale) => {
      const [columns, rows] = boxEdges(scale, 2) as readonly [number, number];
      return { datatype: transposed(rows, columns, element, elementBytes), count: 1 };
    },
  };
}

export const TRANSPOSES: readonly WorkloadDefinition[] = [
  transpose(
    {
      name: "transpose",
      description: "transpose of a matrix of doubles",
      source: "matrix transpose of Prabhu and Gropp, DAME 2017",
    },
    predefined("MPI_DOUBLE"),
    8,
  ),
  transpose(
    {
      name: "fft2-transpose",
      description: "transpose of a matrix of complex numbers",
      source: "FFT2 of DDTBench, any power-of-two size",
    },
    contiguous(2, predefined("MPI_DOUBLE")),
    16,
  ),
];
