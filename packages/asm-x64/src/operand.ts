import type { Register } from "./registers.js";

/** A place in the code: bound once, referred to any number of times, before or after. `Assembler.label` makes one. */
export interface Label {
  readonly kind: "label";
  /** The label's number in its assembler. */
  readonly id: number;
}

/** A memory operand, [base + index × scale + disp]. `mem` makes one. */
export interface BasedMemory {
  readonly kind: "memory";
  /** The base, a register of 64 bits. */
  readonly base: Register;
  /** The index, a register of 64 bits other than rsp; undefined: none. */
  readonly index: Register | undefined;
  /** What the index is multiplied by. */
  readonly scale: 1 | 2 | 4 | 8;
  /** The displacement in bytes, signed, of 32 bits. */
  readonly disp: number;
}

/** A memory operand, `[rip + distance to a label]`: position-independent. `rip` makes one. */
export interface LabelMemory {
  readonly kind: "rip";
  /** The label. */
  readonly label: Label;
}

/** A memory operand. */
export type MemoryOperand = BasedMemory | LabelMemory;

/** An operand. A number is an immediate; a bigint is an immediate of 64 bits. */
export type Operand = Register | MemoryOperand | Label | number | bigint;

/**
 * A memory operand: `mem(rdi, 32, rcx, 8)` is [rdi + rcx * 8 + 32]. Throws a RangeError where the displacement does not
 * fit 32 bits, or the index is rsp, which cannot be one.
 */
export function mem(base: Register, disp = 0, index?: Register, scale: 1 | 2 | 4 | 8 = 1): BasedMemory {
  if (disp !== (disp | 0)) throw new RangeError(`displacement: expected a signed 32-bit integer, got ${disp}`);
  if (index?.number === 4) throw new RangeError("index register: expected any but rsp, got rsp");
  return { kind: "memory", base, index, scale, disp };
}

/** A memory operand at a label of the same code. */
export const rip = (label: Label): LabelMemory => ({ kind: "rip", label });
