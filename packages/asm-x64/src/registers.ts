/** A class of registers, by their bits or their kind; k are the mask registers of AVX-512. */
export type RegisterClass = "r8" | "r16" | "r32" | "r64" | "xmm" | "ymm" | "zmm" | "k";

/** A register by class and number, as ModRM, REX, VEX and EVEX number them. */
export interface Register {
  readonly kind: "register";
  /** The class. */
  readonly class: RegisterClass;
  /** The number, 0 to 15; up to 31 under EVEX where the class has so many, and 7 for k. */
  readonly number: number;
}

const GENERAL = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"] as const;

/** The register's name in the manual. Byte registers are always the low ones, so 4 to 7 are spl to dil. */
export function registerName({ class: kind, number }: Register): string {
  const low = GENERAL[number];
  switch (kind) {
    case "r64":
      return low === undefined ? `r${number}` : `r${low}`;
    case "r32":
      return low === undefined ? `r${number}d` : `e${low}`;
    case "r16":
      return low === undefined ? `r${number}w` : low;
    case "r8":
      return low === undefined ? `r${number}b` : number < 4 ? `${low.charAt(0)}l` : `${low}l`;
    case "xmm":
    case "ymm":
    case "zmm":
    case "k":
      return `${kind}${number}`;
  }
}

function file(kind: RegisterClass, length: number): readonly Register[] {
  return Object.freeze(
    Array.from({ length }, (_, number): Register => Object.freeze({ kind: "register", class: kind, number })),
  );
}

const files: Readonly<Record<RegisterClass, readonly Register[]>> = Object.freeze({
  r8: file("r8", 16),
  r16: file("r16", 16),
  r32: file("r32", 16),
  r64: file("r64", 16),
  xmm: file("xmm", 32),
  ymm: file("ymm", 32),
  zmm: file("zmm", 32),
  k: file("k", 8),
});

/** Register `number` of a class. Throws a RangeError where the class has none of that number. */
export function register(kind: RegisterClass, number: number): Register {
  const found = files[kind][number];
  if (found === undefined)
    throw new RangeError(`register: expected ${kind} 0 to ${files[kind].length - 1}, got ${number}`);
  return found;
}

export const rax = register("r64", 0);
export const rcx = register("r64", 1);
export const rdx = register("r64", 2);
export const rbx = register("r64", 3);
export const rsp = register("r64", 4);
export const rbp = register("r64", 5);
export const rsi = register("r64", 6);
export const rdi = register("r64", 7);
export const r8 = register("r64", 8);
export const r9 = register("r64", 9);
export const r10 = register("r64", 10);
export const r11 = register("r64", 11);
export const r12 = register("r64", 12);
export const r13 = register("r64", 13);
export const r14 = register("r64", 14);
export const r15 = register("r64", 15);

/** Register xmm`number`. Throws a RangeError where there is none. */
export const xmm = (number: number): Register => register("xmm", number);
/** Register ymm`number`. Throws a RangeError where there is none. */
export const ymm = (number: number): Register => register("ymm", number);
/** Register zmm`number`. Throws a RangeError where there is none. */
export const zmm = (number: number): Register => register("zmm", number);
/** Mask register k`number`. Throws a RangeError where there is none. */
export const k = (number: number): Register => register("k", number);
/** The low byte of a general register, by its number. Throws a RangeError where there is none. */
export const r8b = (number: number): Register => register("r8", number);
/** The low 16 bits of a general register, by its number. Throws a RangeError where there is none. */
export const r16w = (number: number): Register => register("r16", number);
/** The low 32 bits of a general register, by its number. Throws a RangeError where there is none. */
export const r32d = (number: number): Register => register("r32", number);
