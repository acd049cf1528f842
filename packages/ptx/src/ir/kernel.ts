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
  /** Bytes of the parameter buffer of a launch. */
  readonly parameterBytes: number;
  /** Bytes of shared memory of a block; shared addresses start at 0. */
  readonly sharedBytes: number;
  /** The most threads that a block may have (.maxntid), where that was given. */
  readonly maxThreads?: number;
  /** How many blocks are wanted on a multiprocessor (.minnctapersm), where that was given. */
  readonly minBlocks?: number;
  /** How many registers the body names, by ids from 0. */
  readonly registers: number;
  readonly body: readonly Instruction[];
}
