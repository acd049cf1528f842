import { avx, sse, xmm, ymm, type Assembler, type Register, type Row } from "@stowage/asm-x64";
import { ELEMENTS, type Element, type Operation, type Reduction } from "@stowage/backend-api";
import type { FeatureLevel } from "../feature-level.js";
import { DWORD_BYTES, WORD_BYTES } from "../widths.js";

/** Instructions of two operands (d = d op s), whether the encoding has two or three. */
type Name = Exclude<keyof typeof sse, `mov${string}` | "cvttsd2si" | "shufps" | "shufpd" | "pshufd" | "palignr">;

/** The vectors of one feature level, by the numbers of their registers. */
export interface Vectors {
  readonly widthBytes: 16 | 32;
  readonly hasAvx2: boolean;
  register(number: number): Register;
  op(name: Name | WideName, to: number, from: number): void;
  shuffle(name: "shufps" | "shufpd", to: number, from: number, order: number): void;
  copy(to: number, from: number): void;
}

/** Instructions that are used with AVX2 alone here: their SSE forms came after SSE2. */
type WideName =
  | "pmulld"
  | "pmaxsb"
  | "pmaxsd"
  | "pmaxuw"
  | "pmaxud"
  | "pminsb"
  | "pminsd"
  | "pminuw"
  | "pminud"
  | "pcmpeqq";

export function vectorsOf(asm: Assembler, level: FeatureLevel): Vectors {
  const hasAvx2 = level !== "sse2";
  const register = hasAvx2 ? ymm : xmm;
  const rowOf = (name: string): Row => (hasAvx2 ? avx[`v${name}` as keyof typeof avx] : sse[name as keyof typeof sse]);
  const emit = (name: string, to: number, from: number, ...order: number[]): void => {
    const operands = [register(to), ...(hasAvx2 ? [register(to)] : []), register(from), ...order];
    asm.emit(rowOf(name), operands);
  };
  return {
    widthBytes: hasAvx2 ? 32 : 16,
    hasAvx2,
    register,
    op: emit,
    shuffle: emit,
    copy(to, from) {
      if (hasAvx2) asm.emit(avx.vpor, [ymm(to), ymm(from), ymm(from)]);
      else asm.emit(sse.movaps_load, [xmm(to), xmm(from)]);
    },
  };
}

/**
 * Combines vector `s`, of what arrives, with vector `t`, of what is there, into `s`. Clobbers `t` and two scratch
 * registers.
 */
export type Recipe = (v: Vectors, s: number, t: number, scratch: readonly [number, number]) => void;

const SUFFIX: Readonly<Record<number, "b" | "w" | "d" | "q">> = { 1: "b", 2: "w", 4: "d", 8: "q" };

/** The vector form of a reduction at a feature level; undefined where elements are combined one by one. */
export function recipeOf({ op, element }: Reduction, level: FeatureLevel): Recipe | undefined {
  const { kind, sizeBytes } = ELEMENTS[element];
  if (kind === "float" || kind === "complex") return floatRecipe(op, element);
  if (op === "MPI_LAND" || op === "MPI_LOR" || op === "MPI_LXOR") return logicalRecipe(op, sizeBytes);
  const name = integerInstruction(op, kind === "signed", sizeBytes, level);
  return name === undefined ? undefined : (v, s, t) => v.op(name, s, t);
}

function floatRecipe(op: Operation, element: Element): Recipe | undefined {
  const isSingle = element === "float32" || element === "complex64";
  if (ELEMENTS[element].kind === "complex" && op === "MPI_PROD")
    return isSingle ? PRODUCT_OF_SINGLES : PRODUCT_OF_DOUBLES;
  const verb = ({ MPI_SUM: "add", MPI_PROD: "mul", MPI_MAX: "max", MPI_MIN: "min" } as const)[op as "MPI_SUM"];
  // MAXPS and MINPS give their second operand, what is there, unless the first is greater (less): NaNs never are.
  return (v, s, t) => v.op(`${verb}${isSingle ? "ps" : "pd"}`, s, t);
}

/** (a, b) times (c, d): (ac - bd, ad + bc), from differences and sums of (ac, ad) and (bd, bc). */
const PRODUCT_OF_DOUBLES: Recipe = (v, s, t, [x, y]) => {
  v.copy(x, s);
  v.shuffle("shufpd", s, s, 0);
  v.op("mulpd", s, t); // ac, ad
  v.shuffle("shufpd", x, x, 0b1111);
  v.shuffle("shufpd", t, t, 0b0101);
  v.op("mulpd", x, t); // bd, bc
  v.copy(y, s);
  v.op("subpd", s, x);
  v.op("addpd", y, x);
  v.shuffle("shufpd", s, y, 0b1010);
};

const PRODUCT_OF_SINGLES: Recipe = (v, s, t, [x, y]) => {
  v.copy(x, s);
  v.shuffle("shufps", s, s, 0b10_10_00_00);
  v.op("mulps", s, t); // ac, ad
  v.shuffle("shufps", x, x, 0b11_11_01_01);
  v.shuffle("shufps", t, t, 0b10_11_00_01);
  v.op("mulps", x, t); // bd, bc
  v.copy(y, s);
  v.op("subps", s, x);
  v.op("addps", y, x);
  v.shuffle("shufps", s, y, 0b11_01_10_00);
  v.shuffle("shufps", s, s, 0b11_01_10_00);
};

/** True is a lane of ones, which is -1: what is stored is 0 less that. */
function logicalRecipe(op: "MPI_LAND" | "MPI_LOR" | "MPI_LXOR", sizeBytes: number): Recipe {
  return (v, s, t, [zero, x]) => {
    v.op("pxor", zero, zero);
    const isZero = (register: number): void => equalsZero(v, register, sizeBytes, zero, x);
    if (op === "MPI_LOR") v.op("por", s, t);
    isZero(s);
    if (op !== "MPI_LOR") isZero(t);
    if (op === "MPI_LXOR") v.op("pxor", s, t);
    else {
      if (op === "MPI_LAND") v.op("por", s, t);
      // Both halves of a lane of 8 bytes are equal by now.
      v.op(`pcmpeq${SUFFIX[Math.min(DWORD_BYTES, sizeBytes)] as "b"}`, s, zero);
    }
    v.op(`psub${SUFFIX[sizeBytes] as "b"}`, zero, s);
    v.copy(s, zero);
  };
}

function equalsZero(v: Vectors, register: number, sizeBytes: number, zero: number, scratch: number): void {
  if (sizeBytes < WORD_BYTES) return v.op(`pcmpeq${SUFFIX[sizeBytes] as "b"}`, register, zero);
  if (v.hasAvx2) return v.op("pcmpeqq", register, zero);
  v.op("pcmpeqd", register, zero);
  v.copy(scratch, register);
  v.shuffle("shufps", scratch, scratch, 0b10_11_00_01);
  v.op("pand", register, scratch);
}

/** Every level has these. */
const PLAIN: ReadonlySet<string> = new Set<Name>([
  ...(["paddb", "paddw", "paddd", "paddq", "pmullw"] as const),
  ...(["pmaxub", "pminub", "pmaxsw", "pminsw", "pand", "por", "pxor"] as const),
]);

function integerInstruction(
  op: Operation,
  isSigned: boolean,
  sizeBytes: number,
  level: FeatureLevel,
): Name | WideName | undefined {
  const suffix = SUFFIX[sizeBytes] as string;
  const sign = isSigned ? "s" : "u";
  const names: Partial<Record<Operation, string>> = {
    MPI_SUM: `padd${suffix}`,
    MPI_PROD: `pmull${suffix}`,
    MPI_MAX: `pmax${sign}${suffix}`,
    MPI_MIN: `pmin${sign}${suffix}`,
    MPI_BAND: "pand",
    MPI_BOR: "por",
    MPI_BXOR: "pxor",
  };
  const name = names[op] as Name | undefined;
  if (name === undefined || PLAIN.has(name)) return name;
  return level !== "sse2" && `v${name}` in avx ? name : undefined;
}
