import type { Instruction } from "./instruction.js";

/** One kernel parameter. `bytes` is an array passed by value. */
export interface Parameter {
  readonly name: string;
  readonly type: "u32" | "u64" | "bytes";
  readonly sizeBytes: number;
  readonly alignBytes: number;
  /** Where the parameter lies in the parameter buffer of a launch, in bytes. */
  readonly offsetBytes: number;
}

/** A kernel as plain JSON: deeply frozen, without functions or bigints; it can be stored and read back as it is. */
export interface Kernel {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly parameterBytes: number;
  /** Shared memory of a block; shared addresses start at 0. */
  readonly sharedBytes: number;
  /** Most threads a block may have (.maxntid), and blocks wanted on a multiprocessor (.minnctapersm), where given. */
  readonly maxThreads?: number;
  readonly minBlocks?: number;
  readonly registers: number;
  readonly body: readonly Instruction[];
}
