import type { BinaryOp, CompareOp, FloatCompare, FloatOp } from "../ir/instruction.js";
import { isWide, type Operand, type Register, type RegisterType } from "../ir/register.js";
import type { Scope } from "./scope.js";

/** What an operand may be written as: a value of the same type, or a constant. */
export type Term = Value | number | bigint | boolean;

/**
 * A register or constant while a kernel is being built; each method appends one instruction (PTX ISA 9.7) and gives its
 * result. Methods throw a TypeError where types do not fit, a RangeError for constants outside their type.
 */
export class Value {
  /** The register, or the constant. */
  readonly operand: Operand;
  protected readonly scope: Scope;

  constructor(scope: Scope, operand: Operand) {
    this.scope = scope;
    this.operand = operand;
  }

  /** What the register holds. */
  get type(): RegisterType {
    return this.operand.type;
  }

  /** The sum, which wraps at the width, as that of sub and mul does. */
  add(b: Term): Value {
    return this.#binary("add", b);
  }
  sub(b: Term): Value {
    return this.#binary("sub", b);
  }
  /** The low half of the product. */
  mul(b: Term): Value {
    return this.#binary("mul", b);
  }
  /** The high half of the product. */
  mulHigh(b: Term): Value {
    return this.#binary("mulHigh", b);
  }
  /** The quotient by the machine's division: tens of instructions; see divideByMagic for divisors known at launch. */
  div(b: Term): Value {
    return this.#binary("div", b);
  }
  rem(b: Term): Value {
    return this.#binary("rem", b);
  }
  min(b: Term): Value {
    return this.#binary("min", b);
  }
  max(b: Term): Value {
    return this.#binary("max", b);
  }
  and(b: Term): Value {
    return this.#binary("and", b);
  }
  or(b: Term): Value {
    return this.#binary("or", b);
  }
  xor(b: Term): Value {
    return this.#binary("xor", b);
  }

  /** The bits moved towards the high end; the amount is u32, and past the width the result is 0. */
  shl(amount: Term): Value {
    return this.#shift("shl", amount);
  }
  /** The bits moved towards the low end; past the width the result is 0, or copies of a signed value's sign. */
  shr(amount: Term): Value {
    return this.#shift("shr", amount);
  }

  eq(b: Term): Value {
    return this.#compare("eq", b);
  }
  ne(b: Term): Value {
    return this.#compare("ne", b);
  }
  lt(b: Term): Value {
    return this.#compare("lt", b);
  }
  le(b: Term): Value {
    return this.#compare("le", b);
  }
  gt(b: Term): Value {
    return this.#compare("gt", b);
  }
  ge(b: Term): Value {
    return this.#compare("ge", b);
  }

  /** The sum as f32 or f64, by the width, rounded to nearest; so are subFloat's and mulFloat's results. */
  addFloat(b: Term): Value {
    return this.#float("add", b);
  }
  subFloat(b: Term): Value {
    return this.#float("sub", b);
  }
  mulFloat(b: Term): Value {
    return this.#float("mul", b);
  }
  /** Whether this is less as f32 or f64, by the width; false where either is a NaN, as gtFloat is. */
  ltFloat(b: Term): Value {
    return this.#compareFloat("lt", b);
  }
  gtFloat(b: Term): Value {
    return this.#compareFloat("gt", b);
  }

  not(): Value {
    return this.#unary("not", this.type);
  }
  neg(): Value {
    return this.#unary("neg", this.type);
  }
  /** How many bits are set, as u32. */
  populationCount(): Value {
    return this.#unary("populationCount", "u32");
  }
  /** How many zero bits stand above the highest set one, as u32; the width where none is set. */
  countLeadingZeros(): Value {
    return this.#unary("countLeadingZeros", "u32");
  }

  /** this × b + c. */
  mulAdd(b: Term, c: Term): Value {
    const { scope, type } = this;
    const target = scope.register(type);
    scope.emit({
      kind: "multiplyAdd",
      wide: false,
      target,
      a: this.operand,
      b: scope.operand(b, type),
      c: scope.operand(c, type),
    });
    return new Value(scope, target);
  }

  /** this × b + c of 32-bit factors and a 64-bit c. */
  mulAddWide(b: Term, c: Term): Value {
    const { scope, type } = this;
    const wide = this.#widened();
    const target = scope.register(wide);
    scope.emit({
      kind: "multiplyAdd",
      wide: true,
      target,
      a: this.operand,
      b: scope.operand(b, type),
      c: scope.operand(c, wide),
    });
    return new Value(scope, target);
  }

  /** The 64-bit product of 32-bit factors. */
  mulWide(b: Term): Value {
    const { scope } = this;
    const target = scope.register(this.#widened());
    scope.emit({ kind: "multiplyWide", target, a: this.operand, b: scope.operand(b, this.type) });
    return new Value(scope, target);
  }

  /** One of two values, by this predicate. `type` is needed where both are constants. */
  select(whenTrue: Term, whenFalse: Term, type?: RegisterType): Value {
    const { scope } = this;
    const known = type ?? [whenTrue, whenFalse].find((term) => term instanceof Value)?.type ?? "u32";
    if (known === "pred") throw new TypeError("select: expected integers to choose from, got predicates");
    const target = scope.register(known);
    scope.emit({
      kind: "select",
      target,
      condition: this.operand,
      whenTrue: scope.operand(whenTrue, known),
      whenFalse: scope.operand(whenFalse, known),
    });
    return new Value(scope, target);
  }

  /** Truncates, or extends by the sign of a signed value; the same bits where the width stays. */
  to(type: RegisterType): Value {
    if (type === this.type) return this;
    const target = this.scope.register(type);
    this.scope.emit({ kind: "convert", target, a: this.operand });
    return new Value(this.scope, target);
  }

  #requireInteger(op: string): void {
    if (this.type === "pred") throw new TypeError(`${op}: expected an integer, got a predicate`);
  }

  #widened(): RegisterType {
    if (isWide(this.type)) throw new TypeError(`wide product: expected 32-bit factors, got ${this.type}`);
    return this.type === "s32" ? "s64" : "u64";
  }

  #binary(op: BinaryOp, b: Term): Value {
    const { scope, type } = this;
    if (op !== "and" && op !== "or" && op !== "xor") this.#requireInteger(op);
    const target = scope.register(type);
    scope.emit({ kind: "binary", op, target, a: this.operand, b: scope.operand(b, type) });
    return new Value(scope, target);
  }

  #shift(op: "shl" | "shr", amount: Term): Value {
    const { scope, type } = this;
    this.#requireInteger(op);
    const target = scope.register(type);
    scope.emit({ kind: "shift", op, target, a: this.operand, amount: scope.operand(amount, "u32") });
    return new Value(scope, target);
  }

  #compare(op: CompareOp, b: Term): Value {
    const { scope, type } = this;
    this.#requireInteger(op);
    const target = scope.register("pred");
    scope.emit({ kind: "compare", op, target, a: this.operand, b: scope.operand(b, type) });
    return new Value(scope, target);
  }

  #float(op: FloatOp, b: Term): Value {
    const target = this.scope.register(this.type);
    this.scope.emit({ kind: "float", op, target, ...this.#inRegisters(b) });
    return new Value(this.scope, target);
  }

  #compareFloat(op: FloatCompare["op"], b: Term): Value {
    const target = this.scope.register("pred");
    this.scope.emit({ kind: "floatCompare", op, target, ...this.#inRegisters(b) });
    return new Value(this.scope, target);
  }

  /** Decimal constants would not be bits of a float. */
  #inRegisters(b: Term): { readonly a: Register; readonly b: Register } {
    const { scope, type } = this;
    return { a: scope.inRegister(this, type), b: scope.inRegister(b, type) };
  }

  #unary(op: "not" | "neg" | "populationCount" | "countLeadingZeros", type: RegisterType): Value {
    if (op !== "not") this.#requireInteger(op);
    const target = this.scope.register(type);
    this.scope.emit({ kind: "unary", op, target, a: this.operand });
    return new Value(this.scope, target);
  }
}

/** A value that can be set again: what loops carry round and branches give. */
export class Variable extends Value {
  /** Sets the register to a value of its type. */
  set(value: Term): void {
    const { operand, scope } = this;
    if (operand.kind === "immediate") throw new TypeError("variable: expected a register, got a constant");
    scope.emit({ kind: "unary", op: "move", target: operand, a: scope.operand(value, operand.type) });
  }
}
