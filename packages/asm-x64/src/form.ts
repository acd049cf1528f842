import type { RegisterClass } from "./registers.js";

/** What one operand of a row may be. */
export interface OperandForm {
  readonly register: RegisterClass | undefined;
  /** Size of the memory operand in bytes; 0 where none is allowed; an address without access (m) counts 0 too. */
  readonly memoryBytes: number;
  readonly memory: boolean;
  readonly immediateBits: 0 | 8 | 32 | 64;
  readonly relativeBits: 0 | 8 | 32;
  /** EVEX: takes a mask {k1}; and may zero what it leaves out {z}. */
  readonly masked: boolean;
  readonly zeroing: boolean;
}

interface Form {
  readonly mnemonic: string;
  readonly operands: readonly OperandForm[];
}

/** Reads the manual's first column, such as `VMOVDQU64 zmm1 {k1}{z}, zmm2/m512`. */
export function parseForm(text: string): Form {
  const space = text.indexOf(" ");
  const mnemonic = (space < 0 ? text : text.slice(0, space)).toLowerCase();
  if (space < 0) return { mnemonic, operands: [] };
  const rest = text.slice(space + 1);
  if (!/[,\d]|^m$/.test(rest)) return { mnemonic: text.toLowerCase(), operands: [] };
  return { mnemonic, operands: Object.freeze(rest.split(",").map((part) => parseOperand(part.trim()))) };
}

const REGISTER_CLASSES: readonly RegisterClass[] = ["r8", "r16", "r32", "r64", "xmm", "ymm", "zmm", "k"];
const PARTS = /^(r8|r16|r32|r64|xmm|ymm|zmm|k)?\d?(?:\/?(m)(8|16|32|64|128|256|512)?)?$/;

function parseOperand(text: string): OperandForm {
  const masked = text.includes("{k1}");
  const zeroing = text.includes("{z}");
  const bare = text.replace(/\s*\{.*$/, "");
  const immediate = /^imm(8|32|64)$/.exec(bare);
  const relative = /^rel(8|32)$/.exec(bare);
  const general = bare.replace(/^r\/m(8|16|32|64)$/, "r$1/m$1");
  const parts = PARTS.exec(general);
  if (immediate === null && relative === null && parts === null) {
    throw new SyntaxError(`operand of a row: expected the manual's notation, got ${text}`);
  }
  return Object.freeze({
    // The class's own string, not the match's: equal strings that are one are compared at once.
    register: REGISTER_CLASSES.find((name) => name === parts?.[1]),
    memory: parts?.[2] !== undefined,
    memoryBytes: Number(parts?.[3] ?? 0) / 8,
    immediateBits: Number(immediate?.[1] ?? 0) as 0 | 8 | 32 | 64,
    relativeBits: Number(relative?.[1] ?? 0) as 0 | 8 | 32,
    masked,
    zeroing,
  });
}
