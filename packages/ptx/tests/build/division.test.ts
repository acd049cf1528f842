import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  buildKernel,
  divideByConstant,
  divideByMagic,
  divideByShortMagic,
  encodeParameters,
  magicOf,
  narrowMagicOf,
  shortMagicOf,
  SimulatedMemory,
  translate,
} from "../../src/index.js";

const U64 = 2n ** 64n;
const high = (a: bigint, b: bigint): bigint => (a * b) >> 64n;
const nearPower = fc
  .tuple(fc.integer({ min: 0, max: 64 }), fc.bigInt({ min: -3n, max: 3n }))
  .map(([bits, jitter]) => 2n ** BigInt(bits) + jitter);
const divisors = fc.oneof(nearPower, fc.bigInt({ min: 1n, max: U64 - 1n }), fc.bigInt({ min: 1n, max: 1000n }));
/** The dividends where a wrong quotient shows: around multiples of the divisor. */
const dividends = (d: bigint, bound: bigint) =>
  fc
    .tuple(fc.bigInt({ min: 0n, max: bound / d }), fc.bigInt({ min: -2n, max: 2n }))
    .map(([q, jitter]) => q * d + jitter)
    .filter((n) => n >= 0n && n < bound);

const cases = (limit: bigint, bound: bigint) =>
  divisors.filter((d) => d >= 1n && d < limit).chain((d) => fc.tuple(fc.constant(d), dividends(d, bound)));

describe("division by constants is exact", () => {
  test("a magic number divides every 64-bit dividend", () => {
    fc.assert(
      fc.property(cases(U64, U64), ([d, n]) => {
        const { multiplier, firstShift, lastShift } = magicOf(d);
        expect(multiplier < U64).toBe(true);
        const t = high(multiplier, n);
        expect((t + ((n - t) >> BigInt(firstShift))) >> BigInt(lastShift)).toBe(n / d);
      }),
      { numRuns: 20_000, seed: 6 },
    );
  });

  test("a short magic number divides every dividend below 2^63", () => {
    fc.assert(
      fc.property(cases(U64 / 2n + 1n, U64 / 2n), ([d, n]) => {
        const { multiplier, shift } = shortMagicOf(d);
        expect(multiplier < U64).toBe(true);
        expect(high(multiplier, 2n * n) >> BigInt(shift)).toBe(n / d);
      }),
      { numRuns: 20_000, seed: 6 },
    );
  });

  test("a narrow magic number divides every dividend below 2^31", () => {
    fc.assert(
      fc.property(cases(2n ** 63n, 2n ** 31n), ([d, n]) => {
        const { multiplier, shift } = narrowMagicOf(d);
        expect(multiplier < 2n ** 32n).toBe(true);
        expect((multiplier * 2n * n) >> BigInt(32 + shift)).toBe(n / d);
      }),
      { numRuns: 20_000, seed: 6 },
    );
  });

  test("kernels divide as the numbers say", () => {
    const memory = new SimulatedMemory({ capacityBytes: 2 ** 20 });
    const output = memory.allocate(24);
    const view = new DataView(memory.wasm.buffer, output.bytes?.byteOffset);
    const types = { output: "u64", n: "u64", m: "u64", first: "u32", last: "u32", sm: "u64", shift: "u32" } as const;
    const byParameters = translate(
      buildKernel("divide", { parameters: types }, (k, p) => {
        const magic = { multiplier: p.m, firstShift: p.first, lastShift: p.last };
        k.store("global", p.output, [divideByMagic(p.n, magic)], { bits: 64 });
        const short = divideByShortMagic(p.n, { multiplier: p.sm, shift: p.shift });
        k.store("global", p.output, [short], { bits: 64, offsetBytes: 8 });
      }),
    );
    fc.assert(
      fc.property(cases(U64 / 2n + 1n, U64 / 2n), ([d, n]) => {
        const magic = magicOf(d);
        const short = shortMagicOf(d);
        const values = { m: magic.multiplier, first: magic.firstShift, last: magic.lastShift };
        const all = { output: output.address, n, ...values, sm: short.multiplier, shift: short.shift };
        const parameters = encodeParameters(byParameters.kernel, all);
        byParameters.launch(memory, { grid: [1, 1, 1], block: [1, 1, 1], parameters });
        expect([view.getBigUint64(0, true), view.getBigUint64(8, true)]).toEqual([n / d, n / d]);
      }),
      { numRuns: 2_000, seed: 7 },
    );
  });

  test("a constant divisor divides 32- and 64-bit values", () => {
    const memory = new SimulatedMemory({ capacityBytes: 2 ** 20 });
    const output = memory.allocate(16);
    const view = new DataView(memory.wasm.buffer, output.bytes?.byteOffset);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 32 - 1 }),
        fc.array(fc.bigInt({ min: 0n, max: U64 - 1n }), { minLength: 9 }),
        (d, ns) => {
          const kernel = buildKernel("divide", { parameters: { output: "u64", n: "u64" } }, (k, p) => {
            k.store("global", p.output, [divideByConstant(p.n, d)], { bits: 64 });
            k.store("global", p.output, [divideByConstant(p.n.to("u32"), d)], { bits: 32, offsetBytes: 8 });
          });
          const divide = translate(kernel);
          for (const n of ns) {
            const parameters = encodeParameters(kernel, { output: output.address, n });
            divide.launch(memory, { grid: [1, 1, 1], block: [1, 1, 1], parameters });
            const narrow = Number(BigInt.asUintN(32, n) / BigInt(d));
            expect([view.getBigUint64(0, true), view.getUint32(8, true)]).toEqual([n / BigInt(d), narrow]);
          }
        },
      ),
      { numRuns: 100, seed: 8 },
    );
  });

  test("no divisor is taken outside 1 to its limit", () => {
    expect(() => magicOf(0)).toThrow("divisor: expected 1 to 2^64, got 0");
    expect(() => shortMagicOf(2n ** 63n + 1n)).toThrow("divisor: expected 1 to 2^63");
  });
});
