import { buildKernel } from "../build/build-kernel.js";
import type { Builder } from "../build/builder.js";
import { divideByConstant } from "../build/division.js";
import type { Value, Variable } from "../build/value.js";
import type { Kernel } from "../ir/kernel.js";
import type { RegisterType } from "../ir/register.js";
import { Random } from "./random.js";
import { INPUT_BYTES, OUTPUT_BYTES_A_THREAD, TRIAL_PARAMETERS } from "./trial.js";

const TYPES = ["u32", "s32", "u64", "s64"] as const;
const SHARED_BYTES = 96 * 16;
const STATEMENTS = 14;

/** A kernel of random instructions, branches, loops, loads, shared exchanges and stores; the same for the same seed. */
export function randomKernel(seed: number): Kernel {
  const options = { parameters: TRIAL_PARAMETERS, sharedBytes: SHARED_BYTES };
  return buildKernel(`random_${seed}`, options, (k, { input, output }) => new Sentence(k, seed, input).write(output));
}

class Sentence {
  readonly #k: Builder;
  readonly #random: Random;
  readonly #input: Value;
  readonly #pool: Readonly<Record<(typeof TYPES)[number], Variable[]>>;

  constructor(k: Builder, seed: number, input: Value) {
    this.#k = k;
    this.#random = new Random(seed);
    this.#input = input;
    const thread = k.globalThread();
    const start = (type: RegisterType, salt: number): Variable => k.variable(type, thread.mul(salt).to(type));
    this.#pool = {
      u32: [start("u32", 1), start("u32", 2654435761)],
      s32: [start("s32", 3), start("s32", 40503)],
      u64: [start("u64", 5), start("u64", 2654435769)],
      s64: [start("s64", 7), start("s64", 11400714819323)],
    };
  }

  write(output: Value): void {
    for (let i = 0; i < STATEMENTS; i++) this.#statement(2);
    const own = output.add(this.#k.globalThread().mul(OUTPUT_BYTES_A_THREAD));
    const [a, b, c, d] = [this.#word("u64"), this.#word("s64"), this.#word("u32"), this.#word("s32")];
    this.#k.store("global", own, [a, b], { bits: 64 }, { operator: "cs" });
    const narrow = [c, d, a, b].map((value) => value.to("u32"));
    this.#k.store("global", own, narrow, { bits: 32, offsetBytes: 16 });
  }

  /** All variables of a type, so that none is computed in vain. */
  #word(type: (typeof TYPES)[number]): Value {
    const [first, second] = this.#pool[type];
    if (first === undefined || second === undefined) throw new TypeError("pool: expected two variables a type");
    return first.to("u64").mul(31).add(second.to("u64"));
  }

  #variable(type: (typeof TYPES)[number] = this.#random.pick(TYPES)): Variable {
    return this.#random.pick(this.#pool[type]);
  }

  #statement(depth: number): void {
    const kind = this.#random.below(depth > 0 ? 12 : 8);
    if (kind < 5) return this.#assign();
    if (kind < 7) return this.#load();
    if (kind < 8) return this.#parameter();
    if (kind < 9 && depth === 2) return this.#exchange();
    if (kind < 11) return this.#branch(depth - 1);
    return this.#loop(depth - 1);
  }

  #assign(): void {
    const target = this.#variable();
    const type = target.type as (typeof TYPES)[number];
    const [a, b, c] = [this.#variable(type), this.#variable(type), this.#variable(type)];
    const constant = this.#random.below(1 << 30);
    const amount = this.#variable("u32").and(127);
    target.set(
      this.#random.pick<() => Value>([
        () => a.add(b),
        () => a.sub(constant),
        () => a.mul(b),
        () => a.mulHigh(b),
        () => a.mulAdd(b, c),
        () => a.min(b).xor(c),
        () => a.max(constant).or(b),
        () => a.and(b.not()),
        () => a.shl(amount),
        () => a.shr(amount).add(c),
        () => a.shr(this.#random.below(64)),
        () => a.lt(b).and(b.ne(c)).select(a, c),
        () => a.div(b.shr(1).or(1).to("u64").and(0x7fff_ffff).or(1).to(type)),
        () => divideByConstant(a.to("u64"), 1 + this.#random.below(1 << 20)).to(type),
        () => divideByConstant(a.to("u32"), 1 + this.#random.below(1 << 20)).to(type),
        () => this.#variable().to(type),
        () => a.populationCount().add(b.countLeadingZeros()).to(type),
        () => this.#k.permute(a.to("u32"), b.to("u32"), c.to("u32")).to(type),
        () => this.#k.funnelShift(a.to("u32"), b.to("u32"), c.to("u32")).to(type),
        () => a.to("u32").mulWide(b.to("u32")).to(type),
      ])(),
    );
  }

  #load(): void {
    const bits = this.#random.pick([8, 16, 32, 64] as const);
    const lanes = this.#random.pick([1, 2, 4] as const);
    const bytes = (bits / 8) * lanes;
    const offset = this.#variable("u64").and(INPUT_BYTES - bytes);
    const nonCoherent = this.#random.below(2) === 0;
    const values = this.#k.loadVector("global", this.#input.add(offset), { bits, lanes }, { nonCoherent });
    for (const value of values) this.#mix(value);
  }

  #parameter(): void {
    const index = this.#variable("u32").and(56);
    const values = this.#k.loadParameter("table", {
      bits: 32,
      lanes: 1,
      index,
      offsetBytes: 4 * this.#random.below(2),
    });
    for (const value of values) this.#mix(value);
  }

  #mix(value: Value): void {
    const target = this.#variable();
    target.set(target.xor(value.to(target.type)));
  }

  /** Every thread writes its own 16 bytes of shared memory, then reads another's. */
  #exchange(): void {
    const k = this.#k;
    const thread = k.special("tid.x");
    k.store("shared", thread.shl(4), [this.#variable("u64"), this.#variable("u64")], { bits: 64 });
    k.barrier();
    const other = thread.add(this.#random.below(96));
    const wrapped = other.ge(96).select(other.sub(96), other);
    for (const value of k.loadVector("shared", wrapped.shl(4), { bits: 32, lanes: 4 })) this.#mix(value);
    k.barrier();
  }

  #branch(depth: number): void {
    const type = this.#random.pick(TYPES);
    const condition = this.#variable(type).lt(this.#variable(type));
    const otherwise = this.#random.below(2) === 0;
    this.#k.if(
      condition,
      () => this.#several(depth),
      () => (otherwise ? this.#several(depth) : undefined),
    );
  }

  /** As many rounds as each thread's own number says: warps diverge. */
  #loop(depth: number): void {
    const rounds = this.#k.variable("u32", this.#variable("u32").and(7));
    this.#k.while(
      () => rounds.gt(0),
      () => {
        rounds.set(rounds.sub(1));
        this.#several(depth);
      },
    );
  }

  #several(depth: number): void {
    for (let i = this.#random.below(3); i >= 0; i--) this.#statement(depth);
  }
}
