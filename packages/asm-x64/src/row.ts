import { parseEncoding, type Encoding } from "./encoding.js";
import { parseForm, type OperandForm } from "./form.js";

/**
 * The place of each operand in the instruction, as the manual's Op/En column names it: M = ModRM.rm, R = ModRM.reg, V =
 * VEX.vvvv, I = immediate, O = low bits of the opcode, S = the upper half of an immediate byte (a fourth R there), D =
 * relative displacement, ZO = none.
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
  /** The instruction's name, in lower case. */
  readonly mnemonic: string;
  /** What each operand may be, in Intel's order: the destination first. */
  readonly operands: readonly OperandForm[];
  /** The place of each operand. */
  readonly operandEncoding: OperandEncoding;
  /** The prefixes and the opcode. */
  readonly encoding: Encoding;
  /**
   * The bytes of the memory operand; 0 where there is none, or none that is accessed. It is the N of EVEX's disp8*N
   * (Intel SDM, volume 2, "Compressed Displacement Support in EVEX").
   */
  readonly memoryBytes: number;
  /** Whether an operand is a byte register: those from 4 on need a REX to be the low ones. */
  readonly hasByteRegister: boolean;
  /** The instruction with its operands, as written in the table. */
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
