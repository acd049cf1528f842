import type { LabelMemory, BasedMemory, Label, Operand } from "./operand.js";
import type { Register } from "./registers.js";
import type { OperandEncoding } from "./row.js";

/** Where the operands of one instruction go, whatever their order in the assembly text. */
export interface Places {
  reg: number;
  rm: Register | BasedMemory | LabelMemory | undefined;
  vvvv: number;
  immediate: number | bigint | undefined;
  opcodeLow: number;
  target: Label | undefined;
}

const LETTERS: Readonly<Record<OperandEncoding, string>> = {
  ZO: "", RM: "RM", MR: "MR", M: "M", MI: "MI", RMI: "RMI", MRI: "MRI", OI: "OI", O: "O", I: "I", D: "D",
  RVM: "RVM", RVMI: "RVMI", MVR: "MVR", RMV: "RMV", VMI: "VMI",
};

export function placesOf(encoding: OperandEncoding, digit: number, operands: readonly Operand[]): Places {
  const letters = LETTERS[encoding];
  const places: Places = { reg: Math.max(digit, 0), rm: undefined, vvvv: 0, immediate: undefined, opcodeLow: 0, target: undefined };
  for (let i = 0; i < letters.length; i++) place(places, letters.charAt(i), operands[i] as Operand);
  return places;
}

function place(places: Places, letter: string, operand: Operand): void {
  if (typeof operand === "number" || typeof operand === "bigint") {
    places.immediate = operand;
    return;
  }
  switch (operand.kind) {
    case "label":
      places.target = operand;
      return;
    case "memory":
    case "rip":
      places.rm = operand;
      return;
    case "register":
      if (letter === "R") places.reg = operand.number;
      else if (letter === "V") places.vvvv = operand.number;
      else if (letter === "O") places.opcodeLow = operand.number;
      else places.rm = operand;
  }
}

/** Bit 3 (or 4) of the number that X extends: the index, or under EVEX the high bit of a register in rm. */
export const indexNumber = ({ rm }: Places): number => (rm?.kind === "memory" ? (rm.index?.number ?? 0) : 0);

/** The number that B extends: a register in rm, or the base. */
export function baseNumber({ rm, opcodeLow }: Places): number {
  if (rm === undefined) return opcodeLow;
  if (rm.kind === "register") return rm.number;
  return rm.kind === "memory" ? rm.base.number : 0;
}
