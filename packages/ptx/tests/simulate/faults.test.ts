import { describe, expect, test } from "vitest";
import {
  buildKernel,
  encodeParameters,
  SimulatedMemory,
  translate,
  type Builder,
  type Value,
} from "../../src/index.js";

function run(body: (k: Builder, address: Value, number: Value) => void, block = 64, number = 0): SimulatedMemory {
  const kernel = buildKernel("k", { parameters: { address: "u64", number: "u32" }, sharedBytes: 64 }, (k, p) =>
    body(k, p.address, p.number),
  );
  const memory = new SimulatedMemory({ capacityBytes: 2 ** 20 });
  const { address } = memory.allocate(1000);
  const parameters = encodeParameters(kernel, { address, number });
  translate(kernel, { checkRaces: true }).launch(memory, { grid: [1, 1, 1], block: [block, 1, 1], parameters });
  return memory;
}

describe("a simulated launch faults where a GPU would, or where the result would be undefined", () => {
  test("a load past an allocation's end", () => {
    expect(() => run((k, a) => k.load("global", a.add(1000), { bits: 8 }))).toThrow(
      /kernel k, block 0,0,0: load of 1 bytes at 0x7f00000003e8: expected allocated memory, got 0 bytes past the end/,
    );
  });
  test("a store that begins inside and ends outside", () => {
    const body = (k: Builder, a: Value) => k.store("global", a.add(992), [a, a], { bits: 64 });
    expect(() => run(body)).toThrow("store of 16 bytes");
  });
  test("a null pointer", () => {
    expect(() => run((k) => k.load("global", 0, { bits: 64 }))).toThrow("load of 8 bytes at 0x0");
  });
  test("a misaligned access", () => {
    expect(() => run((k, a) => k.load("global", a.add(4), { bits: 64 }))).toThrow("expected a multiple of 8");
  });
  test("shared memory past its end", () => {
    expect(() => run((k) => k.load("shared", 64, { bits: 32 }))).toThrow("shared access at 64");
  });
  test("a barrier that half the block branched away from", () => {
    const body = (k: Builder) => k.if(k.special("tid.x").lt(32), () => k.barrier());
    expect(() => run(body)).toThrow("barrier: expected all threads of the block");
  });
  test("two warps on one shared word without a barrier between", () => {
    const body = (k: Builder, _a: Value, n: Value) => {
      k.store("shared", k.special("tid.x").shr(5).shl(2), [n], { bits: 32 });
      k.load("shared", 0, { bits: 32 });
    };
    expect(() => run(body)).toThrow("expected a barrier between warps, got warp 1 racing another");
  });
  test("a division by zero", () => {
    expect(() => run((k, a, n) => k.store("global", a, [n.div(n)], { bits: 32 }))).toThrow("divide by zero");
  });
  test("a parameter buffer of another size", () => {
    const kernel = buildKernel("k", { parameters: { a: "u64" } }, () => undefined);
    const launch = { grid: [1, 1, 1], block: [1, 1, 1], parameters: new Uint8Array(4) } as const;
    expect(() => translate(kernel).launch(new SimulatedMemory(), launch)).toThrow(
      "expected 8 bytes of parameters, got 4",
    );
  });
});
