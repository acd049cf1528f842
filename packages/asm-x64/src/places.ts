import type { LabelMemory, BasedMemory, Label, Operand } from "./operand.js";
import {
  requireImmediate,
  requireLabel,
  requireMemory,
  requireNumberOfOperands,
  requireRegister,
} from "./require-operands.js";
import type { Register } from "./registers.js";
import type { Row } from "./row.js";

/** Where the operands of one instruction go, whatever their order in the assembly text. */
export interface Places {
  reg: number;
  rm: Register | BasedMemory | LabelMemory | undefined;
  vvvv: number;
  immediate: number | bigint | undefined;
  opcodeLow: number;
  target: Label | undefined;
  /** Bit 3 of the index; bit 4 of a register in rm, as no index can be there: EVEX alone has such. */
  x: number;
  /** Bit 3 of the base, or of a register in rm or in the opcode. */
  b: number;
}

export const noPlaces = (): Places => ({
  reg: 0,
  rm: undefined,
  vvvv: 0,
  immediate: undefined,
  opcodeLow: 0,
  target: undefined,
  x: 0,
  b: 0,
});

/**
 * Fills `places` anew: an instruction's places are of no use once it is written, so one object serves all. Throws a
 * TypeError or RangeError where the row cannot encode the operands.
 */
export function fillPlaces(places: Places, row: Row, operands: readonly Operand[]): void {
  requireNumberOfOperands(row, operands);
  const { digit } = row.encoding;
  places.reg = digit < 0 ? 0 : digit;
  places.rm = undefined;
  places.vvvv = 0;
  places.immediate = undefined;
  places.opcodeLow = 0;
  places.target = undefined;
  places.x = 0;
  places.b = 0;
  for (let i = 0; i < operands.length; i++) place(places, row, i, operands[i] as Operand);
}

function place(places: Places, row: Row, position: number, operand: Operand): void {
  if (typeof operand !== "object") {
    requireImmediate(row, position, operand);
    places.immediate = operand;
    return;
  }
  switch (operand.kind) {
    case "register":
      requireRegister(row, position, operand);
      return placeRegister(places, row.operandEncoding.charCodeAt(position), operand);
    case "memory":
      requireMemory(row, position, operand);
      places.rm = operand;
      places.b = operand.base.number >> 3;
      if (operand.index !== undefined) places.x = operand.index.number >> 3;
      return;
    case "rip":
      requireMemory(row, position, operand);
      places.rm = operand;
      return;
    case "label":
      requireLabel(row, position, operand);
      places.target = operand;
  }
}

const [R, V, O, S] = [82, 86, 79, 83];

/** By the letter that the operand encoding has at its position. */
function placeRegister(places: Places, letter: number, operand: Register): void {
  const { number } = operand;
  if (letter === R) places.reg = number;
  else if (letter === V) places.vvvv = number;
  else if (letter === S) places.immediate = number << 4;
  else {
    places.b = (number >> 3) & 1;
    places.x = number >> 4;
    if (letter === O) places.opcodeLow = number;
    else places.rm = operand;
  }
}
