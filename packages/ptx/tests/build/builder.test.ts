import { describe, expect, test } from "vitest";
import { buildKernel, print } from "../../src/index.js";

const build = (body: Parameters<typeof buildKernel<{ a: "u64"; b: "u32" }>>[2]) =>
  buildKernel("k", { parameters: { a: "u64", b: "u32" } }, body);

describe("the builder refuses what PTX has no meaning for", () => {
  test("operands of different types", () => {
    expect(() => build((_, { a, b }) => a.add(b))).toThrow("operand: expected u64, got u32");
  });
  test("constants outside their type", () => {
    expect(() => build((_, { b }) => b.add(2 ** 32))).toThrow("constant: expected one of u32, got 4294967296");
  });
  test("arithmetic on predicates", () => {
    expect(() => build((_, { b }) => b.lt(3).add(1))).toThrow("add: expected an integer, got a predicate");
  });
  test("unknown parameters", () => {
    expect(() => build((k) => k.loadParameter("c", { bits: 32 }))).toThrow("parameter: expected one of a, b, got c");
  });
  test("global addresses of 32 bits", () => {
    expect(() => build((k, { b }) => k.load("global", b, { bits: 32 }))).toThrow("operand: expected u64, got u32");
  });
  test("names that are no identifiers", () => {
    expect(() => buildKernel("a b", { parameters: {} }, () => undefined)).toThrow('expected an identifier, got "a b"');
  });
});

describe("kernels are data", () => {
  test("a kernel read back from JSON prints the same text", () => {
    const kernel = build((k, { a, b }) => {
      k.if(b.gt(7), () => k.store("global", a, [b.mulWide(2 ** 32 - 1)], { bits: 64 }));
      k.store("global", a, [a.xor(2n ** 64n - 1n)], { bits: 64, offsetBytes: 8 });
    });
    const copy = JSON.parse(JSON.stringify(kernel)) as typeof kernel;
    expect(print(copy, { arch: 90 })).toBe(print(kernel, { arch: 90 }));
    expect(Object.isFrozen(kernel.body)).toBe(true);
  });
});
