import type { AccessBits, DataSpace, Fence, LoadHints, SpecialRegister, StoreHints } from "../ir/instruction.js";
import type { RegisterType } from "../ir/register.js";
import type { Scope } from "./scope.js";
import { Value, Variable, type Term } from "./value.js";

/** How memory is accessed. */
export interface AccessOptions {
  /** Bits of one element. */
  readonly bits: AccessBits;
  /** How many elements one access has; the address is a multiple of all their bytes. Default: 1. */
  readonly lanes?: 1 | 2 | 4;
  /** A constant that is added to the address. Default: 0. */
  readonly offsetBytes?: number;
}

/**
 * What a kernel's body is written with: see buildKernel. Its calls append instructions, and throw a TypeError where
 * types do not fit, a RangeError for constants outside their type.
 */
export class Builder {
  readonly #scope: Scope;
  readonly #parameterNames: ReadonlySet<string>;

  constructor(scope: Scope, parameterNames: Iterable<string>) {
    this.#scope = scope;
    this.#parameterNames = new Set(parameterNames);
  }

  /** A constant of a type; no instruction is appended. */
  constant(type: RegisterType, value: number | bigint | boolean): Value {
    return new Value(this.#scope, this.#scope.operand(value, type));
  }

  /** A register that can be set again, with its first value. */
  variable(type: RegisterType, initial: Term): Variable {
    const variable = new Variable(this.#scope, this.#scope.register(type));
    variable.set(initial);
    return variable;
  }

  /** Reads a special register, as u32 (PTX ISA 10). */
  special(register: SpecialRegister): Value {
    const target = this.#scope.register("u32");
    this.#scope.emit({ kind: "special", target, register });
    return new Value(this.#scope, target);
  }

  /** The number of the thread in the grid's x dimension, ctaid.x × ntid.x + tid.x, in 64 bits. */
  globalThread(): Value {
    return this.special("ctaid.x").mulAddWide(this.special("ntid.x"), this.special("tid.x").to("u64"));
  }

  /** How many threads the grid has in its x dimension, in 64 bits. */
  gridThreads(): Value {
    return this.special("nctaid.x").mulWide(this.special("ntid.x"));
  }

  /**
   * Loads elements of a by-value parameter, at a constant offset plus, where given, a u32 index in bytes: one value a
   * lane. Throws a TypeError for a parameter that the kernel has not.
   */
  loadParameter(parameter: string, options: AccessOptions & { readonly index?: Term }): Value[] {
    if (!this.#parameterNames.has(parameter)) {
      throw new TypeError(`parameter: expected one of ${[...this.#parameterNames].join(", ")}, got ${parameter}`);
    }
    const targets = this.#targets(options);
    this.#scope.emit({
      kind: "loadParameter",
      parameter,
      index: options.index === undefined ? null : this.#scope.inRegister(options.index, "u32"),
      offsetBytes: options.offsetBytes ?? 0,
      bits: options.bits,
      targets,
    });
    return targets.map((target) => new Value(this.#scope, target));
  }

  /** Loads one element from an address; 8 and 16 bits come zero-extended to u32. */
  load(space: DataSpace, address: Term, options: Omit<AccessOptions, "lanes">, hints: LoadHints = {}): Value {
    return this.loadVector(space, address, options, hints)[0] as Value;
  }

  /** Loads 1, 2 or 4 elements by one access: one value a lane, as load gives them. */
  loadVector(space: DataSpace, address: Term, options: AccessOptions, hints: LoadHints = {}): Value[] {
    const targets = this.#targets(options);
    this.#scope.emit({
      kind: "load",
      space,
      bits: options.bits,
      address: this.#address(space, address),
      offsetBytes: options.offsetBytes ?? 0,
      targets,
      hints: Object.freeze({ ...hints }),
    });
    return targets.map((target) => new Value(this.#scope, target));
  }

  /** Stores the low bits of each value; one value, or 2 or 4 as a vector. */
  store(
    space: DataSpace,
    address: Term,
    values: readonly Value[],
    options: Omit<AccessOptions, "lanes">,
    hints: StoreHints = {},
  ): void {
    const type = options.bits === 64 ? "u64" : "u32";
    this.#scope.emit({
      kind: "store",
      space,
      bits: options.bits,
      address: this.#address(space, address),
      offsetBytes: options.offsetBytes ?? 0,
      values: Object.freeze(values.map((value) => this.#scope.inRegister(value, type))),
      hints: Object.freeze({ ...hints }),
    });
  }

  /** The low 32 bits of (high:low) >> (amount & 31), of u32 values (shf.r.wrap; PTX ISA 9.7.8). */
  funnelShift(low: Term, high: Term, amount: Term): Value {
    const target = this.#scope.register("u32");
    const [a, b, c] = [low, high, amount].map((term) => this.#scope.operand(term, "u32"));
    if (a === undefined || b === undefined || c === undefined) throw new TypeError("funnelShift: expected 3 operands");
    this.#scope.emit({ kind: "funnelShift", target, low: a, high: b, amount: c });
    return new Value(this.#scope, target);
  }

  /** The bytes of two u32 values in another order (prmt): byte i is byte (selector >> 4i) & 7 of (b:a). */
  permute(a: Term, b: Term, selector: Term): Value {
    const target = this.#scope.register("u32");
    this.#scope.emit({
      kind: "permute",
      target,
      a: this.#scope.operand(a, "u32"),
      b: this.#scope.operand(b, "u32"),
      selector: this.#scope.operand(selector, "u32"),
    });
    return new Value(this.#scope, target);
  }

  /** Branches by a predicate: `then` and `otherwise` are called once each, and append the two lists. */
  if(condition: Value, then: () => void, otherwise: () => void = () => undefined): void {
    const lists = { then: this.#scope.collect(then), otherwise: this.#scope.collect(otherwise) };
    this.#scope.emit({ kind: "if", condition: this.#scope.operand(condition, "pred"), ...lists });
  }

  /** Loops while a predicate holds; the instructions of `condition` compute it anew before every round. */
  while(condition: () => Value, body: () => void): void {
    let last: Value | undefined;
    const head = this.#scope.collect(() => {
      last = condition();
    });
    if (last === undefined) throw new TypeError("while: expected a condition, got none");
    const operand = this.#scope.operand(last, "pred");
    this.#scope.emit({ kind: "while", head, condition: operand, body: this.#scope.collect(body) });
  }

  /** Waits for every thread of the block, none of which may have branched away. */
  barrier(): void {
    this.#scope.emit({ kind: "barrier" });
  }

  /** Orders this thread's accesses to memory before it against those behind it, as the scope sees them (membar). */
  fence(scope: Fence["scope"]): void {
    this.#scope.emit({ kind: "fence", scope });
  }

  #targets({ bits, lanes = 1 }: AccessOptions) {
    const type = bits === 64 ? "u64" : "u32";
    return Object.freeze(Array.from({ length: lanes }, () => this.#scope.register(type)));
  }

  #address(space: DataSpace, address: Term) {
    return this.#scope.inRegister(address, space === "global" ? "u64" : "u32");
  }
}
