import type { Masking } from "./evex.js";
import type { OperandForm } from "./form.js";
import type { Operand } from "./operand.js";
import type { Row } from "./row.js";

/** Throws a TypeError or RangeError where the operands cannot be encoded by the row. */
export function requireOperands(row: Row, operands: readonly Operand[], masking: Masking | undefined): void {
  if (operands.length !== row.operands.length) {
    throw new TypeError(`${row.form}: expected ${row.operands.length} operands, got ${operands.length}`);
  }
  for (let i = 0; i < operands.length; i++) {
    const form = row.operands[i] as OperandForm;
    if (!fits(row, form, operands[i] as Operand)) {
      throw new TypeError(`${row.form}: expected operand ${i + 1} of that form, got ${describe(operands[i] as Operand)}`);
    }
  }
  if (masking !== undefined) requireMasking(row, masking);
}

function fits(row: Row, form: OperandForm, operand: Operand): boolean {
  if (typeof operand === "bigint") return form.immediateBits === 64;
  if (typeof operand === "number") return fitsImmediate(form.immediateBits, operand) && (operand <= 127 || !isSignExtended(row, form));
  switch (operand.kind) {
    case "label":
      return form.relativeBits !== 0;
    case "memory":
    case "rip":
      return form.memory;
    case "register":
      // Only EVEX reaches registers 16 to 31.
      return form.register === operand.class && (operand.number < 16 || row.encoding.space === "evex");
  }
}

/** Opcode 83: the byte is extended to the operand's size, so that 128 would mean -128. Intel SDM volume 2A, ADD. */
const isSignExtended = (row: Row, form: OperandForm): boolean => form.immediateBits === 8 && row.encoding.map === 0 && row.encoding.opcode[0] === 0x83;

function fitsImmediate(bits: number, value: number): boolean {
  if (bits === 8) return value >= -128 && value <= 255 && Number.isInteger(value);
  if (bits === 32) return value >= -0x80000000 && value <= 0xffffffff && Number.isInteger(value);
  return bits === 64 && Number.isSafeInteger(value);
}

function requireMasking(row: Row, { mask, zeroing }: Masking): void {
  const form = row.operands.find(({ masked }) => masked);
  if (form === undefined || mask.class !== "k" || mask.number === 0 || (zeroing === true && !form.zeroing)) {
    throw new TypeError(`${row.form}: expected a mask k1 to k7 where the form has {k1}, and {z} where it has that, got ${mask.class}${mask.number}`);
  }
}

function describe(operand: Operand): string {
  if (typeof operand !== "object") return String(operand);
  return operand.kind === "register" ? `${operand.class} ${operand.number}` : operand.kind;
}
