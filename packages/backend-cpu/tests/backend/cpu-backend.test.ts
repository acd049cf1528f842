import "reflect-metadata";
import {
  BACKEND,
  BindingError,
  conditions,
  copyMove,
  DisposedError,
  DONE,
  hostMemory,
  packMove,
  unpackMove,
  UNCALIBRATED,
  UnsupportedMoveError,
  type Backend,
  type Binding,
  type Buffer,
  type Kernel,
  type Move,
} from "@stowage/backend-api";
import { dense, denseLayout, integerTable, layout, stream, uniformBlocks, type Layout } from "@stowage/ir";
import { container } from "tsyringe";
import { describe, expect, test } from "vitest";
import { CpuBackend, registerCpu } from "../../src/index.js";

const column = layout(0, stream(4, 16, dense(4)), { lowerBoundBytes: 0, extentBytes: 4 });
const backend = new CpuBackend();
const kernelOf = (...moves: Move[]): Kernel => backend.load(backend.compile(moves, conditions()));
const iota = (length: number): Int32Array => Int32Array.from({ length }, (_, i) => i);

function binding(
  source: Int32Array | Buffer,
  target: Int32Array | Buffer,
  count: number,
  range?: [number, number],
): Binding {
  const [first, length] = range ?? [0, count * 16];
  const memory = (view: Int32Array | Buffer): Buffer => (ArrayBuffer.isView(view) ? hostMemory(view) : view);
  return {
    source: { memory: memory(source), originBytes: 0 },
    target: { memory: memory(target), originBytes: 0 },
    count,
    first,
    length,
  };
}

describe("which moves it takes", () => {
  test.each(["host", "pinned"] as const)("%s memory on both sides", (kind) => {
    expect(backend.supports([packMove(column)], conditions({ sourceKind: kind, targetKind: kind }))).toEqual({
      ok: true,
    });
  });

  test.each(["device", "managed"] as const)("not %s memory, and why", (kind) => {
    const refusal = { ok: false, reason: `it moves bytes of host and pinned memory; it has no view of ${kind} memory` };
    expect(backend.supports([packMove(column)], conditions({ sourceKind: kind }))).toEqual(refusal);
    expect(backend.supports([packMove(column)], conditions({ targetKind: kind }))).toEqual(refusal);
    expect(() => backend.compile([packMove(column)], conditions({ targetKind: kind }))).toThrow(UnsupportedMoveError);
  });

  test("not sides of different sizes", () => {
    const move = { source: column, target: denseLayout(15) };
    expect(backend.supports([packMove(column), move], conditions())).toEqual({
      ok: false,
      reason: "the two sides of move 1 differ in size",
    });
  });
});

describe("a plan", () => {
  test("runs all its moves, in order, and says that they are over", () => {
    const matrix = iota(16);
    const packed = new Int32Array(16);
    const back = new Int32Array(16);
    using kernel = kernelOf(packMove(column), unpackMove(column));
    using plan = kernel.bind([binding(matrix, packed, 4), binding(packed, back, 4)]);
    expect(plan.run()).toBe(DONE);
    expect(Array.from(packed.subarray(0, 5))).toEqual([0, 4, 8, 12, 1]);
    expect(back).toEqual(matrix);
  });

  test("packs a range into a fragment that holds it alone", () => {
    const fragment = new Int32Array(3);
    using kernel = kernelOf(packMove(column));
    const whole = binding(iota(16), fragment, 4, [24, 12]);
    using plan = kernel.bind([{ ...whole, target: { ...whole.target, originBytes: -24 } }]);
    plan.run();
    expect(Array.from(fragment)).toEqual([9, 13, 2]);
  });

  test("copies from layout to layout", () => {
    const row = layout(0, dense(16), { lowerBoundBytes: 0, extentBytes: 16 });
    const target = new Int32Array(16);
    using kernel = kernelOf(copyMove(column, row));
    using plan = kernel.bind([binding(iota(16), target, 4)]);
    plan.run();
    expect(Array.from(target)).toEqual([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]);
  });

  test("moves other memory once it is bound to it; a bad binding leaves it as it was", () => {
    const first = new Int32Array(16);
    const second = new Int32Array(16);
    using kernel = kernelOf(packMove(column));
    using plan = kernel.bind([binding(iota(16), first, 4)]);
    expect(() => plan.rebind(0, binding(iota(16), new Int32Array(15), 4))).toThrow(BindingError);
    plan.run();
    expect(first[1]).toBe(4);
    plan.rebind(
      0,
      binding(
        iota(16).map((value) => value + 100),
        second,
        4,
      ),
    );
    plan.run();
    expect(first[1]).toBe(4);
    expect(second[1]).toBe(104);
    expect(() => plan.rebind(1, binding(iota(16), first, 4))).toThrow("move to bind: expected one of 1, got move 1");
  });

  test("of blocks copied through views moves what is there now, run after run", () => {
    const rows = layout(
      0,
      uniformBlocks(
        integerTable(3, (i) => [4096, 0, 2048][i] as number),
        dense(1024),
      ),
      { lowerBoundBytes: 0, extentBytes: 8192 },
    );
    const source = new Uint8Array(8192);
    const target = new Uint8Array(3072);
    using kernel = kernelOf(packMove(rows));
    const sides = {
      source: { memory: hostMemory(source), originBytes: 0 },
      target: { memory: hostMemory(target), originBytes: 0 },
    };
    using plan = kernel.bind([{ ...sides, count: 1, first: 0, length: 3072 }]);
    for (const value of [1, 2, 3]) {
      source.fill(value, 4096, 5120);
      source.fill(value + 10, 0, 1024);
      plan.run();
      expect([target[0], target[1023], target[1024], target[2047], target[2048]]).toEqual([
        value,
        value,
        value + 10,
        value + 10,
        0,
      ]);
    }
  });

  test("allocates nothing from its second run on", () => {
    const source = new Int32Array(1 << 20);
    const target = new Int32Array(1 << 16);
    using kernel = kernelOf(
      packMove(layout(0, stream(64, 4096, dense(1024)), { lowerBoundBytes: 0, extentBytes: 1 << 18 })),
    );
    const sides = {
      source: { memory: hostMemory(source), originBytes: 0 },
      target: { memory: hostMemory(target), originBytes: 0 },
    };
    using plan = kernel.bind([{ ...sides, count: 4, first: 0, length: 1 << 18 }]);
    for (let i = 0; i < 5000; i++) plan.run();
    const windows = Array.from({ length: 9 }, () => {
      const before = process.memoryUsage().heapUsed;
      for (let run = 0; run < 100; run++) plan.run();
      return process.memoryUsage().heapUsed - before;
    });
    // Were its 256 views made anew, a window would take some 3 MB; a collection within one makes it negative.
    expect(Math.max(...windows)).toBeLessThan(512 * 1024);
  });
});

describe("what is gone is refused, and not one byte written", () => {
  const transferAway = (view: Int32Array): void =>
    void structuredClone(view.buffer, { transfer: [view.buffer as ArrayBuffer] });

  test("a buffer detached between runs, of whichever move", () => {
    const sources = [iota(16), iota(16)];
    const targets = [new Int32Array(16), new Int32Array(16)];
    using kernel = kernelOf(packMove(column), packMove(column));
    using plan = kernel.bind([0, 1].map((i) => binding(sources[i] as Int32Array, targets[i] as Int32Array, 4)));
    transferAway(sources[1] as Int32Array);
    expect(() => plan.run()).toThrow(
      new BindingError("bound memory", "a view of 64 bytes", "0: detached, or shrunk since"),
    );
    expect(targets[0]).toEqual(new Int32Array(16));
  });

  test("a resizable buffer that has shrunk into its view; shrinking beside it does no harm", () => {
    type Resizable = ArrayBuffer & { resize(byteLength: number): void };
    const buffer = Reflect.construct(ArrayBuffer, [128, { maxByteLength: 256 }]) as Resizable;
    const target = new Int32Array(16);
    using kernel = kernelOf(packMove(column));
    using plan = kernel.bind([binding(new Int32Array(buffer, 0, 16).fill(5), target, 4)]);
    buffer.resize(64);
    plan.run();
    expect(target).toEqual(new Int32Array(16).fill(5));
    target.fill(0);
    buffer.resize(60);
    expect(() => plan.run()).toThrow("bound memory: expected a view of 64 bytes, got 0: detached, or shrunk since");
    expect(target).toEqual(new Int32Array(16));
  });

  test("a buffer that has an address but no bytes here", () => {
    using kernel = kernelOf(packMove(column));
    const far: Buffer = { kind: "host", sizeBytes: 64, address: 4096 };
    expect(() => kernel.bind([binding(far, new Int32Array(16), 4)])).toThrow(
      "memory of a source: expected a view of its bytes, got an address alone",
    );
  });

  test("no memory is needed where nothing moves", () => {
    const gone = iota(16);
    using kernel = kernelOf(packMove(column));
    using plan = kernel.bind([binding(gone, new Int32Array(16), 4, [0, 0])]);
    transferAway(gone);
    expect(plan.run()).toBe(DONE);
  });

  test("disposed kernels and plans", () => {
    const kernel = kernelOf(packMove(column));
    const plan = kernel.bind([binding(iota(16), new Int32Array(16), 4)]);
    kernel[Symbol.dispose]();
    expect(() => kernel.bind([])).toThrow(DisposedError);
    expect(() => kernel.explain()).toThrow(DisposedError);
    plan[Symbol.dispose]();
    plan[Symbol.dispose]();
    expect(() => plan.run()).toThrow(DisposedError);
    expect(() => plan.rebind(0, binding(iota(16), new Int32Array(16), 4))).toThrow(DisposedError);
  });
});

describe("predictions", () => {
  const runNs = (element: Layout, count: number, figures: Record<string, number> = {}): number =>
    backend.predict([packMove(element)], conditions({ count }), { ...UNCALIBRATED, figures: { cpu: figures } }).runNs;

  test("rise with the count and with the blocks", () => {
    const counts = [0, 1, 2, 10, 1e6, 2 ** 40];
    for (const element of [column, denseLayout(16), layout(0, dense(512), { lowerBoundBytes: 0, extentBytes: 600 })]) {
      const predictions = counts.map((count) => runNs(element, count));
      expect(predictions).toEqual([...predictions].sort((a, b) => a - b));
      expect(predictions.every((ns) => Number.isFinite(ns) && ns > 0)).toBe(true);
    }
    const ofBlocks = (length: number) =>
      runNs(layout(0, stream(4096 / length, 1 << 14, dense(length)), { lowerBoundBytes: 0, extentBytes: 1 << 26 }), 8);
    expect(ofBlocks(8)).toBeGreaterThan(ofBlocks(512));
  });

  test("follow the profile's figures", () => {
    expect(runNs(column, 1000, { "pack.block": 50 })).toBeGreaterThan(5 * runNs(column, 1000, { "pack.block": 0 }));
  });
});

test("a container resolves it among the backends", () => {
  const child = container.createChildContainer();
  registerCpu(child);
  expect(child.resolveAll<Backend>(BACKEND).map(({ name }) => name)).toEqual(["cpu"]);
});
