import { buildKernel } from "../build/build-kernel.js";
import type { Builder } from "../build/builder.js";
import { divideByConstant } from "../build/division.js";
import type { Value } from "../build/value.js";
import type { Kernel } from "../ir/kernel.js";
import type { RegisterType } from "../ir/register.js";
import { INPUT_BYTES, OUTPUT_BYTES_A_THREAD, TRIAL_PARAMETERS } from "./trial.js";

type Operation = (a: Value, b: Value, c: Value, builder: Builder) => Value;

const ANY: Readonly<Record<string, Operation>> = {
  add: (a, b) => a.add(b),
  sub: (a, b) => a.sub(b),
  mul: (a, b) => a.mul(b),
  mulHigh: (a, b) => a.mulHigh(b),
  // By zero, and of the lowest number by -1, a division is unspecified (PTX ISA 9.7.1.8).
  div: (a, b) => a.div(b.shr(1).or(1).to(a.type)),
  rem: (a, b) => a.rem(b.shr(1).or(1).to(a.type)),
  min: (a, b) => a.min(b),
  max: (a, b) => a.max(b),
  and: (a, b) => a.and(b),
  or: (a, b) => a.or(b),
  xor: (a, b) => a.xor(b),
  shl: (a, b) => a.shl(b.to("u32").and(127)),
  shr: (a, b) => a.shr(b.to("u32").and(127)),
  not: (a) => a.not(),
  neg: (a) => a.neg(),
  populationCount: (a) => a.populationCount(),
  countLeadingZeros: (a) => a.countLeadingZeros(),
  mulAdd: (a, b, c) => a.mulAdd(b, c),
  eq: (a, b) => a.eq(b).select(1, 0, "u32"),
  ne: (a, b) => a.ne(b).select(1, 0, "u32"),
  lt: (a, b) => a.lt(b).select(1, 0, "u32"),
  le: (a, b) => a.le(b).select(1, 0, "u32"),
  gt: (a, b) => a.gt(b).select(1, 0, "u32"),
  ge: (a, b) => a.ge(b).select(1, 0, "u32"),
  select: (a, b, c) => a.lt(b).select(c, a),
  logic: (a, b, c) => a.lt(b).and(b.lt(c).not()).xor(c.eq(a)).or(a.ne(b)).to("u32"),
  narrow: (a) => a.to("u32"),
  widen: (a) => a.to("s64"),
  widenUnsigned: (a) => a.to("u64"),
  divideBy3: (a) => divideByConstant(a.to("u64"), 3),
  divideBy7: (a) => divideByConstant(a.to("u64"), 7),
  divideByLarge: (a) => divideByConstant(a.to("u64"), 2n ** 63n + 12345n),
};

const NARROW: Readonly<Record<string, Operation>> = {
  mulWide: (a, b) => a.mulWide(b),
  mulAddWide: (a, b, c) => a.mulAddWide(b, c.to(a.type === "s32" ? "s64" : "u64")),
};

const U32: Readonly<Record<string, Operation>> = {
  divideBy10: (a) => divideByConstant(a, 10),
  divideBy4294967295: (a) => divideByConstant(a, 4294967295),
  funnelShift: (a, b, c, builder) => builder.funnelShift(a, b, c),
  permute: (a, b, c, builder) => builder.permute(a, b, c),
};

const TYPES: readonly RegisterType[] = ["u32", "s32", "u64", "s64"];
const ROUNDS = 4;

/** One kernel for each instruction and type: a thread applies it to several triples of the input. */
export function instructionKernels(): readonly Kernel[] {
  return TYPES.flatMap((type) => {
    const wide = type === "u64" || type === "s64";
    const operations = { ...ANY, ...(wide ? {} : NARROW), ...(type === "u32" ? U32 : {}) };
    return Object.entries(operations).map(([name, operation]) => instructionKernel(`${name}_${type}`, type, operation));
  });
}

function instructionKernel(name: string, type: RegisterType, operation: Operation): Kernel {
  return buildKernel(name, { parameters: TRIAL_PARAMETERS }, (k, { input, output }) => {
    const thread = k.globalThread();
    const own = output.add(thread.mul(OUTPUT_BYTES_A_THREAD));
    for (let round = 0; round < ROUNDS; round++) {
      const operand = (step: number): Value => {
        const offset = thread
          .add(round * 192)
          .mul(8 * step)
          .and(INPUT_BYTES - 8);
        // Alternating halves of the input: random numbers meet corner cases.
        return k.load("global", input.add(offset.xor((INPUT_BYTES / 2) * (step & 1))), { bits: 64 }).to(type);
      };
      const result = operation(operand(1), operand(3), operand(5), k);
      k.store("global", own, [result.to("u64")], { bits: 64, offsetBytes: round * 8 });
    }
  });
}
