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
export interface OperandFields {
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

export const noFields = (): OperandFields => ({
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
 * Fills `fields` anew: an instruction's fields are of no use once it is written, so one object serves all. Throws a
 * TypeError or RangeError where the row cannot encode the operands.
 */
export function fillFields(fields: OperandFields, row: Row, operands: readonly Operand[]): void {
  requireNumberOfOperands(row, operands);
  const { digit } = row.encoding;
  fields.reg = digit < 0 ? 0 : digit;
  fields.rm = undefined;
  fields.vvvv = 0;
  fields.immediate = undefined;
  fields.opcodeLow = 0;
  fields.target = undefined;
  fields.x = 0;
  fields.b = 0;
  for (let i = 0; i < operands.length; i++) setField(fields, row, i, operands[i] as Operand);
}

function setField(fields: OperandFields, row: Row, position: number, operand: Operand): void {
  if (typeof operand !== "object") {
    requireImmediate(row, position, operand);
    fields.immediate = operand;
    return;
  }
  switch (operand.kind) {
    case "register":
      requireRegister(row, position, operand);
      return setRegister(fields, row.operandEncoding.charCodeAt(position), operand);
    case "memory":
      requireMemory(row, position, operand);
      fields.rm = operand;
      fields.b = operand.base.number >> 3;
      if (operand.index !== undefined) fields.x = operand.index.number >> 3;
      return;
    case "rip":
      requireMemory(row, position, operand);
      fields.rm = operand;
      return;
    case "label":
      requireLabel(row, position, operand);
      fields.target = operand;
  }
}

const [R, V, O, S] = [82, 86, 79, 83];

/** By the letter that the operand encoding has at its position. */
function setRegister(fields: OperandFields, letter: number, operand: Register): void {
  const { number } = operand;
  if (letter === R) fields.reg = number;
  else if (letter === V) fields.vvvv = number;
  else if (letter === S) fields.immediate = number << 4;
  else {
    fields.b = (number >> 3) & 1;
    fields.x = number >> 4;
    if (letter === O) fields.opcodeLow = number;
    else fields.rm = operand;
  }
}
