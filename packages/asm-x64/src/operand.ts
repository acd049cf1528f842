import type { Register } from "./registers.js";

/** A place in the code: bound once, referred to any number of times, before or after. */
export interface Label {
  readonly kind: "label";
  readonly id: number;
}

/** [base + index × scale + disp]. */
export interface BasedMemory {
  readonly kind: "memory";
  readonly base: Register;
  readonly index: Register | undefined;
  readonly scale: 1 | 2 | 4 | 8;
  /** The displacement in bytes, signed, of 32 bits. */
  readonly disp: number;
}

/** `[rip + distance to a label]`: position-independent. */
export interface LabelMemory {
  readonly kind: "rip";
  readonly label: Label;
}

export type MemoryOperand = BasedMemory | LabelMemory;

/** A number is an immediate; a bigint is one of 64 bits. */
export type Operand = Register | MemoryOperand | Label | number | bigint;

/** Throws a RangeError where the displacement does not fit 32 bits, or the index is rsp, which cannot be one. */
export function mem(base: Register, disp = 0, index?: Register, scale: 1 | 2 | 4 | 8 = 1): BasedMemory {
  if (disp !== (disp | 0)) throw new RangeError(`displacement: expected a signed 32-bit integer, got ${disp}`);
  if (index?.number === 4) throw new RangeError("index register: expected any but rsp, got rsp");
  return { kind: "memory", base, index, scale, disp };
}

export const rip = (label: Label): LabelMemory => ({ kind: "rip", label });
