/** What a register holds. 8- and 16-bit values live in u32 registers: loads widen them, stores narrow them. */
export type RegisterType = "pred" | "u32" | "s32" | "u64" | "s64";

/** A register, by its id, which no other register of the kernel has. */
export interface Register {
  readonly kind: "register";
  readonly id: number;
  readonly type: RegisterType;
}

/** A constant operand. `literal` is a decimal integer (or 0 and 1 for pred), so that kernels stay plain JSON. */
export interface Immediate {
  readonly kind: "immediate";
  readonly type: RegisterType;
  readonly literal: string;
}

/** What an instruction reads. */
export type Operand = Register | Immediate;

/** Whether a type has 64 bits. */
export const isWide = (type: RegisterType): boolean => type === "u64" || type === "s64";
/** Whether a type is signed. */
export const isSigned = (type: RegisterType): boolean => type === "s32" || type === "s64";
