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

export const noPlaces = (): Places => ({ reg: 0, rm: undefined, vvvv: 0, immediate: undefined, opcodeLow: 0, target: undefined });

/** Fills `places` anew: an instruction's places are of no use once it is written, so one object serves all. */
export function fillPlaces(places: Places, encoding: OperandEncoding, digit: number, operands: readonly Operand[]): void {
  places.reg = digit < 0 ? 0 : digit;
  places.rm = undefined;
  places.vvvv = 0;
  places.immediate = undefined;
  places.opcodeLow = 0;
  places.target = undefined;
  for (let i = 0; i < operands.length; i++) place(places, encoding, i, operands[i] as Operand);
}

function place(places: Places, encoding: OperandEncoding, position: number, operand: Operand): void {
  if (typeof operand !== "object") {
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
      placeRegister(places, encoding.charCodeAt(position), operand);
  }
}

const [R, V, O] = [82, 86, 79];

/** By the letter that the operand encoding has at its position. */
function placeRegister(places: Places, letter: number, operand: Register): void {
  if (letter === R) places.reg = operand.number;
  else if (letter === V) places.vvvv = operand.number;
  else if (letter === O) places.opcodeLow = operand.number;
  else places.rm = operand;
}

/** Bit 3 (or 4) of the number that X extends: the index, or under EVEX the high bit of a register in rm. */
export const indexNumber = ({ rm }: Places): number => (rm?.kind === "memory" ? (rm.index?.number ?? 0) : 0);

/** The number that B extends: a register in rm, or the base. */
export function baseNumber({ rm, opcodeLow }: Places): number {
  if (rm === undefined) return opcodeLow;
  if (rm.kind === "register") return rm.number;
  return rm.kind === "memory" ? rm.base.number : 0;
}
