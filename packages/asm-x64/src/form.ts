import type { RegisterClass } from "./registers.js";

/** The operands that a place of a row takes. */
export interface OperandForm {
  /** The class of registers; undefined where none is taken. */
  readonly register: RegisterClass | undefined;
  /** The bytes of the memory operand; 0 where none is taken, and for an address without access (m). */
  readonly memoryBytes: number;
  /** Whether a memory operand is taken. */
  readonly memory: boolean;
  /** The bits of an immediate; 0 where none is taken. */
  readonly immediateBits: 0 | 8 | 32 | 64;
  /** The bits of a relative displacement, for which a label is given; 0 where none is taken. */
  readonly relativeBits: 0 | 8 | 32;
  /** Whether the operand takes an EVEX mask, `{k1}`. */
  readonly masked: boolean;
  /** Whether it may zero what the mask leaves out, `{z}`. */
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
