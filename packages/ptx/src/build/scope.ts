import type { Instruction } from "../ir/instruction.js";
import type { Operand, Register, RegisterType } from "../ir/register.js";

/** What an operand may be written as: something that has one, or a constant. */
export type Written = { readonly operand: Operand } | number | bigint | boolean;

/** Where instructions of a kernel under construction go: the innermost open list. */
export class Scope {
  #registers = 0;
  #open: Instruction[] = [];

  get registers(): number {
    return this.#registers;
  }

  register(type: RegisterType): Register {
    return Object.freeze({ kind: "register", id: this.#registers++, type });
  }

  emit(instruction: Instruction): void {
    this.#open.push(Object.freeze(instruction));
  }

  /** Throws a TypeError where a value's type is not the one needed: conversions are written, never implied. */
  operand(term: Written, type: RegisterType): Operand {
    if (typeof term !== "object") return type === "pred" ? this.#predicate(term) : immediate(term, type);
    const { operand } = term;
    if (operand.type !== type) throw new TypeError(`operand: expected ${type}, got ${operand.type}`);
    return operand;
  }

  /** As operand, but never a constant: addresses and stored values are registers in PTX. */
  inRegister(term: Written, type: RegisterType): Register {
    const operand = this.operand(term, type);
    return operand.kind === "register" ? operand : this.#move(operand);
  }

  /** The instructions that `body` appends, as a list of its own. */
  collect(body: () => void): readonly Instruction[] {
    const outer = this.#open;
    this.#open = [];
    try {
      body();
      return Object.freeze(this.#open);
    } finally {
      this.#open = outer;
    }
  }

  /** PTX takes no constant predicates. */
  #predicate(term: number | bigint | boolean): Register {
    return this.#move(immediate(term, "pred"));
  }

  #move(a: Operand): Register {
    const target = this.register(a.type);
    this.emit({ kind: "unary", op: "move", target, a });
    return target;
  }
}

const RANGES: Readonly<Record<RegisterType, readonly [bigint, bigint]>> = {
  pred: [0n, 1n],
  u32: [0n, 2n ** 32n - 1n],
  s32: [-(2n ** 31n), 2n ** 31n - 1n],
  u64: [0n, 2n ** 64n - 1n],
  s64: [-(2n ** 63n), 2n ** 63n - 1n],
};

function immediate(value: number | bigint | boolean, type: RegisterType): Operand {
  const exact = BigInt(value);
  const [low, high] = RANGES[type];
  if (exact < low || exact > high) throw new RangeError(`constant: expected one of ${type}, got ${exact}`);
  return Object.freeze({ kind: "immediate", type, literal: exact.toString() });
}
