import { describe, expect, test } from "vitest";
import { buildKernel, encodeParameters, SimulatedMemory, translate } from "../../src/index.js";

describe("a simulated launch", () => {
  test("runs every thread of every block once, in three dimensions", () => {
    const kernel = buildKernel("ids", { parameters: { out: "u64" } }, (k, { out }) => {
      const [x, y, z] = [k.special("tid.x"), k.special("tid.y"), k.special("tid.z")];
      const inner = z.mulAdd(k.special("ntid.y"), y).mulAdd(k.special("ntid.x"), x);
      const outer = k.special("ctaid.z").mulAdd(k.special("nctaid.y"), k.special("ctaid.y"));
      const block = outer.mulAdd(k.special("nctaid.x"), k.special("ctaid.x"));
      const id = block.mulAdd(30, inner);
      k.store("global", out.add(id.mulWide(4)), [id.add(1)], { bits: 32 });
    });
    const memory = new SimulatedMemory({ capacityBytes: 2 ** 20 });
    const { address } = memory.allocate(4 * 30 * 24);
    const parameters = encodeParameters(kernel, { out: address });
    const counters = translate(kernel).launch(memory, { grid: [4, 3, 2], block: [5, 3, 2], parameters });
    const words = new Uint32Array(memory.read(address, 4 * 720).buffer);
    expect([...words]).toEqual(Array.from({ length: 720 }, (_, i) => i + 1));
    expect(counters.threadInstructions % 720).toBe(0);
  });

  test("lanes that branch apart meet again, and count as idle while apart", () => {
    const kernel = buildKernel("diverge", { parameters: { out: "u64" } }, (k, { out }) => {
      const lane = k.special("laneid");
      const rounds = k.variable("u32", lane);
      const sum = k.variable("u32", 0);
      k.while(
        () => rounds.gt(0),
        () => {
          k.if(
            rounds.and(1).eq(1),
            () => sum.set(sum.add(rounds)),
            () => sum.set(sum.add(1000)),
          );
          rounds.set(rounds.sub(1));
        },
      );
      k.store("global", out.add(lane.mulWide(4)), [sum], { bits: 32 });
    });
    const memory = new SimulatedMemory({ capacityBytes: 2 ** 20 });
    const { address } = memory.allocate(128);
    const parameters = encodeParameters(kernel, { out: address });
    const { threadInstructions, warpInstructions } = translate(kernel).launch(memory, {
      grid: [1, 1, 1],
      block: [32, 1, 1],
      parameters,
    });
    const expected = Array.from({ length: 32 }, (_, lane) => {
      let sum = 0;
      for (let r = lane; r > 0; r--) sum += r % 2 === 1 ? r : 1000;
      return sum;
    });
    expect([...new Uint32Array(memory.read(address, 128).buffer)]).toEqual(expected);
    expect(threadInstructions).toBeLessThan(0.7 * 32 * warpInstructions);
  });

  test("counts sectors and lines as the memory system sees them", () => {
    const strides = [4, 8, 32, 64, 128, 512];
    const sectors = strides.map((stride) => {
      const kernel = buildKernel("strided", { parameters: { a: "u64" } }, (k, { a }) => {
        k.load("global", a.add(k.special("laneid").mulWide(stride)), { bits: 32 });
      });
      const memory = new SimulatedMemory({ capacityBytes: 2 ** 20 });
      const { address } = memory.allocate(32 * 512);
      const parameters = encodeParameters(kernel, { a: address });
      const launch = { grid: [1, 1, 1], block: [32, 1, 1], parameters } as const;
      const { globalLoads } = translate(kernel, { countAccesses: true }).launch(memory, launch);
      return [globalLoads.requests, globalLoads.sectors, globalLoads.lines];
    });
    expect(sectors).toEqual([
      [1, 4, 1],
      [1, 8, 2],
      [1, 32, 8],
      [1, 32, 16],
      [1, 32, 32],
      [1, 32, 32],
    ]);
  });

  test("addresses and sizes run past 2^32", () => {
    const kernel = buildKernel("far", { parameters: { a: "u64" } }, (k, { a }) => {
      const at = a.add(k.globalThread().shl(30));
      k.store("global", at, [at], { bits: 64 });
    });
    const memory = new SimulatedMemory({ capacityBytes: 2 ** 20 });
    const { address } = memory.allocate(2 ** 40, { sparse: true });
    const parameters = encodeParameters(kernel, { a: address });
    translate(kernel).launch(memory, { grid: [16, 1, 1], block: [4, 1, 1], parameters });
    for (let i = 0n; i < 64n; i++) {
      const at = address + (i << 30n);
      expect(new DataView(memory.read(at, 8).buffer).getBigUint64(0, true)).toBe(at);
    }
  });

  test("frees what is given back, and reuses it", () => {
    const memory = new SimulatedMemory({ capacityBytes: 2 ** 20 });
    const before = memory.freeBytes;
    for (let i = 0; i < 1000; i++) memory.free(memory.allocate(300_000).address);
    expect(memory.freeBytes).toBe(before);
    expect(() => memory.allocate(2 ** 21)).toThrow("simulated memory: expected 2097152 bytes to be free");
    expect(() => memory.free(12n)).toThrow("expected the start of an allocation, got 0xc");
  });
});
