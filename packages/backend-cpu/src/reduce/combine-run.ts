import { ArgumentError } from "@stowage/ir";
import type { Element, Operation, Reduction } from "@stowage/backend-api";
import { OF_BIGINTS, OF_FLOATS, OF_INTEGERS, WINS } from "./combine.js";
import * as loops from "./element-loops.js";

type LoopOf = (op: Operation) => loops.CombineRun | undefined;

const ofFloats =
  (arithmetic: typeof loops.float64, ordered: typeof loops.ordered64): LoopOf =>
  (op) => {
    if (op === "MPI_SUM" || op === "MPI_PROD") return arithmetic(OF_FLOATS[op]);
    return op === "MPI_MAX" || op === "MPI_MIN" ? ordered(WINS[op]) : undefined;
  };

/** A complex sum is the sum of its parts. */
const ofComplex =
  (arithmetic: typeof loops.float64, product: loops.CombineRun): LoopOf =>
  (op) => {
    if (op === "MPI_PROD") return product;
    return op === "MPI_SUM" ? arithmetic(OF_FLOATS[op]) : undefined;
  };

const LOOPS: Readonly<Record<Element, LoopOf>> = {
  int8: (op) => loops.int8(OF_INTEGERS[op]),
  int16: (op) => loops.int16(OF_INTEGERS[op]),
  int32: (op) => loops.int32(OF_INTEGERS[op]),
  int64: (op) => loops.int64(OF_BIGINTS[op]),
  uint8: (op) => loops.uint8(OF_INTEGERS[op]),
  uint16: (op) => loops.uint16(OF_INTEGERS[op]),
  uint32: (op) => loops.uint32(OF_INTEGERS[op]),
  uint64: (op) => loops.uint64(OF_BIGINTS[op]),
  float32: ofFloats(loops.float32, loops.ordered32),
  float64: ofFloats(loops.float64, loops.ordered64),
  complex64: ofComplex(loops.float32, loops.complexProduct64),
  complex128: ofComplex(loops.float64, loops.complexProduct128),
  boolean: (op) => loops.uint8(OF_INTEGERS[op]),
  byte: (op) => loops.uint8(OF_INTEGERS[op]),
};

/** The loop of a reduction over one run of elements. */
export function combineRun({ op, element }: Reduction): loops.CombineRun {
  const loop = LOOPS[element](op);
  if (loop !== undefined) return loop;
  throw new ArgumentError("operation of a reduction", `one that is defined for ${element}`, op);
}
