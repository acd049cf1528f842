import type { Masking } from "./masking.js";
import type { OperandForm } from "./form.js";
import type { Label, MemoryOperand, Operand } from "./operand.js";
import type { Register } from "./registers.js";
import type { Row } from "./row.js";

// Each throws a TypeError where the row cannot encode what it is given.

export function requireNumberOfOperands({ form, operands: forms }: Row, operands: readonly Operand[]): void {
  if (operands.length !== forms.length)
    throw new TypeError(`${form}: expected ${forms.length} operands, got ${operands.length}`);
}

export function requireImmediate(row: Row, position: number, operand: number | bigint): void {
  const form = row.operands[position] as OperandForm;
  const fits =
    typeof operand === "bigint"
      ? form.immediateBits === 64
      : fitsImmediate(form.immediateBits, operand) && (operand <= 127 || !isSignExtended(row, form));
  if (!fits) refuse(row, position, operand);
}

export function requireRegister(row: Row, position: number, operand: Register): void {
  const form = row.operands[position] as OperandForm;
  // Only EVEX reaches registers 16 to 31.
  if (form.register !== operand.class || (operand.number > 15 && row.encoding.space !== "evex"))
    refuse(row, position, operand);
}

export function requireMemory(row: Row, position: number, operand: MemoryOperand): void {
  if (!(row.operands[position] as OperandForm).memory) refuse(row, position, operand);
}

export function requireLabel(row: Row, position: number, operand: Label): void {
  if ((row.operands[position] as OperandForm).relativeBits === 0) refuse(row, position, operand);
}

/** Opcode 83: the byte is extended to the operand's size, so that 128 would mean -128. Intel SDM volume 2A, ADD. */
const isSignExtended = (row: Row, form: OperandForm): boolean =>
  form.immediateBits === 8 && row.encoding.map === 0 && row.encoding.opcode[0] === 0x83;

function fitsImmediate(bits: number, value: number): boolean {
  if (bits === 8) return value >= -128 && value <= 255 && Number.isInteger(value);
  if (bits === 32) return value >= -0x80000000 && value <= 0xffffffff && Number.isInteger(value);
  return bits === 64 && Number.isSafeInteger(value);
}

export function requireMasking(row: Row, { mask, zeroing }: Masking): void {
  const form = row.operands.find(({ masked }) => masked);
  if (form === undefined || mask.class !== "k" || mask.number === 0 || (zeroing === true && !form.zeroing)) {
    throw new TypeError(
      `${row.form}: expected a mask k1 to k7 where the form has {k1}, and {z} where it has that, got ${mask.class}${mask.number}`,
    );
  }
}

function refuse({ form }: Row, position: number, operand: Operand): never {
  throw new TypeError(`${form}: expected operand ${position + 1} of that form, got ${describe(operand)}`);
}

function describe(operand: Operand): string {
  if (typeof operand !== "object") return String(operand);
  return operand.kind === "register" ? `${operand.class} ${operand.number}` : operand.kind;
}
