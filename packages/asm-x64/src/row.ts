import { parseEncoding, type Encoding } from "./encoding.js";
import { parseForm, type OperandForm } from "./form.js";

/**
 * Where each operand goes, as the manual's Op/En column names it: M = ModRM.rm, R = ModRM.reg, V = VEX.vvvv,
 * I = immediate, O = low bits of the opcode, S = the upper half of an immediate byte (a fourth R there), D = relative
 * displacement, ZO = none.
 */
export type OperandEncoding =
  | "ZO"
  | "RM"
  | "MR"
  | "M"
  | "MI"
  | "RMI"
  | "MRI"
  | "OI"
  | "O"
  | "I"
  | "D"
  | "RVM"
  | "RVMI"
  | "RVMS"
  | "MVR"
  | "RMV"
  | "VMI";

/** One row of the manual: an instruction in one form. */
export interface Row {
  readonly mnemonic: string;
  readonly operands: readonly OperandForm[];
  readonly operandEncoding: OperandEncoding;
  readonly encoding: Encoding;
  /** Bytes of the memory operand, 0 where there is none or none that is accessed; N of EVEX's disp8*N. */
  readonly memoryBytes: number;
  /** Whether an operand is a byte register: those from 4 on need a REX to be the low ones. */
  readonly hasByteRegister: boolean;
  /** As written in the table. */
  readonly form: string;
}

/**
 * A row of an instruction table from the notation of Intel's manual (SDM, volume 2): `form` is the instruction with its
 * operands, `encoding` the opcode column, `operandEncoding` the Op/En column. Throws a SyntaxError for text that is not
 * in that notation.
 */
export function row(form: string, encoding: string, operandEncoding: OperandEncoding): Row {
  const { mnemonic, operands } = parseForm(form);
  const memoryBytes = operands.reduce((most, operand) => Math.max(most, operand.memoryBytes), 0);
  const hasByteRegister = operands.some((operand) => operand.register === "r8");
  return Object.freeze({
    mnemonic,
    operands,
    operandEncoding,
    encoding: parseEncoding(encoding),
    memoryBytes,
    hasByteRegister,
    form,
  });
}
