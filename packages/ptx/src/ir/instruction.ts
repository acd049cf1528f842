import type { Operand, Register } from "./register.js";

/** PTX ISA 9.7.1 (integer arithmetic) and 9.7.8 (logic and shift); all operands have the target's type. */
export type BinaryOp = "add" | "sub" | "mul" | "mulHigh" | "div" | "rem" | "min" | "max" | "and" | "or" | "xor";
/** shl and shr, PTX ISA 9.7.8. */
export type ShiftOp = "shl" | "shr";
/** mov, not, neg, popc and clz, PTX ISA 9.7. */
export type UnaryOp = "move" | "not" | "neg" | "populationCount" | "countLeadingZeros";
/** setp, PTX ISA 9.7.6.1. */
export type CompareOp = "eq" | "ne" | "lt" | "le" | "gt" | "ge";
/** PTX ISA 10, special registers. */
export type SpecialRegister = `${"tid" | "ntid" | "ctaid" | "nctaid"}.${"x" | "y" | "z"}` | "laneid" | "globaltimer_lo";
/** Bits of one element of an access to memory. */
export type AccessBits = 8 | 16 | 32 | 64;
/** The memory of an access: that of the device, or a block's own. */
export type DataSpace = "global" | "shared";

/** How a load treats the caches. PTX ISA 9.7.9.8 (ld) and 9.7.9.9 (ld.global.nc). */
export interface LoadHints {
  /** ld.volatile: others write there while the kernel runs; it is loaded each time, as often as it is written. */
  readonly volatile?: boolean;
  /** ld.global.nc: the bytes do not change while the kernel runs. */
  readonly nonCoherent?: boolean;
  /** The cache operator, such as "cs" for data that is read once. */
  readonly operator?: "ca" | "cg" | "cs" | "lu" | "cv";
  /** The eviction priority in L1. */
  readonly l1?: "no_allocate" | "evict_first" | "evict_last" | "evict_unchanged";
  /** How many bytes L2 fetches from memory. */
  readonly l2PrefetchBytes?: 64 | 128 | 256;
}

/** How a store treats the caches. PTX ISA 9.7.9.11 (st). */
export interface StoreHints {
  /** The cache operator, such as "cs" for data that is written once. */
  readonly operator?: "wb" | "cg" | "cs" | "wt";
  readonly l1?: "no_allocate" | "evict_first" | "evict_last" | "evict_unchanged";
}

/** target = a op b. */
export interface Binary {
  readonly kind: "binary";
  readonly op: BinaryOp;
  readonly target: Register;
  readonly a: Operand;
  readonly b: Operand;
}

/** target = a shifted by a u32 amount; amounts past the width give 0, or copies of the sign. */
export interface Shift {
  readonly kind: "shift";
  readonly op: ShiftOp;
  readonly target: Register;
  readonly a: Operand;
  readonly amount: Operand;
}

/** target = op a; counts give u32, whatever the operand. */
export interface Unary {
  readonly kind: "unary";
  readonly op: UnaryOp;
  readonly target: Register;
  readonly a: Operand;
}

/** target = a × b + c; `wide` multiplies 32-bit operands into a 64-bit product. */
export interface MultiplyAdd {
  readonly kind: "multiplyAdd";
  readonly wide: boolean;
  readonly target: Register;
  readonly a: Operand;
  readonly b: Operand;
  readonly c: Operand;
}

/** target, of 64 bits, = a × b of 32 bits. */
export interface MultiplyWide {
  readonly kind: "multiplyWide";
  readonly target: Register;
  readonly a: Operand;
  readonly b: Operand;
}

/** target, a predicate, = whether a op b. */
export interface Compare {
  readonly kind: "compare";
  readonly op: CompareOp;
  readonly target: Register;
  readonly a: Operand;
  readonly b: Operand;
}

/**
 * PTX ISA 9.7.3: rounded to nearest, so that none is fused with another. The registers hold the bits of f32 or f64, by
 * their width; which NaN comes of one is not said.
 */
export type FloatOp = "add" | "sub" | "mul";

/** target = a op b, as f32 or f64. */
export interface Float {
  readonly kind: "float";
  readonly op: FloatOp;
  readonly target: Register;
  readonly a: Register;
  readonly b: Register;
}

/** Compares bits as floating-point numbers; false where either is a NaN. PTX ISA 9.7.6.1 (setp). */
export interface FloatCompare {
  readonly kind: "floatCompare";
  readonly op: "lt" | "gt";
  readonly target: Register;
  readonly a: Register;
  readonly b: Register;
}

/** target = whenTrue where the condition holds, else whenFalse (selp). */
export interface Select {
  readonly kind: "select";
  readonly target: Register;
  readonly condition: Operand;
  readonly whenTrue: Operand;
  readonly whenFalse: Operand;
}

/** target = a, truncated, or extended by the sign of a signed value (cvt). */
export interface Convert {
  readonly kind: "convert";
  readonly target: Register;
  readonly a: Operand;
}

/** shf.r.wrap.b32: the low 32 bits of (high:low) >> (amount & 31). */
export interface FunnelShift {
  readonly kind: "funnelShift";
  readonly target: Register;
  readonly low: Operand;
  readonly high: Operand;
  readonly amount: Operand;
}

/** prmt.b32: byte i of the target is byte (selector >> 4i) & 7 of (b:a). Selector bits 3 of each digit must be 0. */
export interface Permute {
  readonly kind: "permute";
  readonly target: Register;
  readonly a: Operand;
  readonly b: Operand;
  readonly selector: Operand;
}

/** target = a special register, as u32. */
export interface ReadSpecial {
  readonly kind: "special";
  readonly target: Register;
  readonly register: SpecialRegister;
}

/** Loads elements of a kernel parameter, at index + offsetBytes within it. The index, where there is one, is u32. */
export interface LoadParameter {
  readonly kind: "loadParameter";
  readonly parameter: string;
  readonly index: Operand | null;
  readonly offsetBytes: number;
  readonly bits: AccessBits;
  readonly targets: readonly Register[];
}

/** Loads 1, 2 or 4 elements. Global addresses are u64, shared ones u32; both aligned to the whole access. */
export interface Load {
  readonly kind: "load";
  readonly space: DataSpace;
  readonly bits: AccessBits;
  readonly address: Operand;
  readonly offsetBytes: number;
  readonly targets: readonly Register[];
  readonly hints: LoadHints;
}

/** Stores the low bits of 1, 2 or 4 values; addresses are as those of Load. */
export interface Store {
  readonly kind: "store";
  readonly space: DataSpace;
  readonly bits: AccessBits;
  readonly address: Operand;
  readonly offsetBytes: number;
  readonly values: readonly Operand[];
  readonly hints: StoreHints;
}

/** bar.sync 0: every thread of the block arrives. */
export interface Barrier {
  readonly kind: "barrier";
}

/** membar of the block, the device or the system. */
export interface Fence {
  readonly kind: "fence";
  readonly scope: "block" | "device" | "system";
}

/** Runs one of two lists, by a predicate. */
export interface If {
  readonly kind: "if";
  readonly condition: Operand;
  readonly then: readonly Instruction[];
  readonly otherwise: readonly Instruction[];
}

/** Runs `body` while a predicate holds, which `head` computes before every round. */
export interface While {
  readonly kind: "while";
  readonly head: readonly Instruction[];
  readonly condition: Operand;
  readonly body: readonly Instruction[];
}

/** One instruction of a kernel's body. */
export type Instruction =
  | Binary
  | Shift
  | Unary
  | MultiplyAdd
  | MultiplyWide
  | Compare
  | Float
  | FloatCompare
  | Select
  | Convert
  | FunnelShift
  | Permute
  | ReadSpecial
  | LoadParameter
  | Load
  | Store
  | Barrier
  | Fence
  | If
  | While;
