import { denseLayout, type Layout } from "@stowage/ir";
import * as fc from "fast-check";
import { runInThisContext } from "node:vm";
import { expect, it } from "vitest";
import {
  checkBinding,
  conditions,
  copyMove,
  HostBuffer,
  hostMemory,
  packMove,
  QuickCheck,
  reachOf,
  unpackMove,
  type Binding,
  type Buffer,
  type Move,
  type Span,
} from "../../src/index.js";
import { anyBound } from "./any-bound.js";

const moveOf = { pack: packMove, unpack: unpackMove, copy: (layout: Layout): Move => copyMove(layout, layout) };
const direction = fc.constantFrom<keyof typeof moveOf>("pack", "unpack", "copy");
const accepted = (move: Move, binding: Binding, known = conditions()): boolean => {
  try {
    checkBinding([move], 0, binding, known);
    return true;
  } catch {
    return false;
  }
};

/**
 * Memory that a side may be bound to: most often large enough, some of it shared with the other side, some of it wrong.
 */
const anySpan = (shared: ArrayBuffer): fc.Arbitrary<Span> => {
  const buffer = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 5000 }).map((bytes) => hostMemory(new Uint8Array(bytes))) },
    fc
      .tuple(fc.nat(100), fc.integer({ min: 0, max: 300 }))
      .map(([at, bytes]) => hostMemory(new Uint8Array(shared, at, bytes))),
    fc.integer({ min: 0, max: 2 ** 20 }).map((address): Buffer => ({ kind: "host", sizeBytes: 300, address })),
    fc.constant<Buffer>({ kind: "pinned", sizeBytes: 300, address: 4096 }),
    fc.constant<Buffer>({ kind: "host", sizeBytes: 300 }),
  );
  const origin = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 1000 }) },
    fc.constantFrom(-9, 0, 0.5, NaN, 2 ** 53, -(2 ** 52)),
  );
  return fc.record({ memory: buffer, originBytes: origin });
};

it("passes nothing that checkBinding refuses", () => {
  const shared = new ArrayBuffer(500);
  const wrong = fc.constantFrom(-1, 0.5, NaN, 2 ** 53, Infinity, "1" as never, 1n as never);
  const number = fc.oneof({ weight: 20, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: wrong });
  const known = fc.record({
    sourceAlignment: fc.constantFrom(1, 1, 1, 1, 8, 64),
    targetAlignment: fc.constantFrom(1, 1, 1, 1, 8, 64),
    count: fc.constantFrom<(number | "any")[]>("any", "any", "any", 1, 3),
  });
  const passed = { yes: 0, no: 0 };
  fc.assert(
    fc.property(
      anyBound(),
      direction,
      fc.tuple(anySpan(shared), anySpan(shared)),
      fc.tuple(number, number, number),
      known,
      ({ layout, count, first, length }, way, [source, target], numbers, promised) => {
        const move = moveOf[way](layout);
        const range = { count: numbers[0] ?? count, first: numbers[1] ?? first, length: numbers[2] ?? length };
        const passes = new QuickCheck(move, conditions(promised)).passes({ source, target, ...range });
        passed[passes ? "yes" : "no"]++;
        if (passes) expect(accepted(move, { source, target, ...range }, conditions(promised))).toBe(true);
      },
    ),
    { numRuns: 6000 },
  );
  expect(passed.yes).toBeGreaterThan(20);
});

it("passes every range of two buffers of their own", () => {
  fc.assert(
    fc.property(anyBound(), direction, ({ layout, ...range }, way) => {
      fc.pre(range.length > 0);
      const move = moveOf[way](layout);
      const span = (side: Layout): Span => {
        const { lowBytes, highBytes } = reachOf(side, range);
        return { memory: hostMemory(new Uint8Array(highBytes - lowBytes)), originBytes: -lowBytes };
      };
      const binding = { source: span(move.source), target: span(move.target), ...range };
      expect(new QuickCheck(move, conditions()).passes(binding)).toBe(accepted(move, binding));
    }),
    { numRuns: 1500 },
  );
});

it("judges a range alike whatever ranges the same check has seen before", () => {
  const ranges = fc.array(fc.record({ count: fc.nat(4), first: fc.nat(40), length: fc.nat(40) }), { maxLength: 8 });
  fc.assert(
    fc.property(anyBound(), direction, ranges, ({ layout, ...own }, way, others) => {
      const move = moveOf[way](layout);
      const check = new QuickCheck(move, conditions());
      for (const range of [own, ...others, own]) {
        const span = { memory: hostMemory(new Uint8Array(3000)), originBytes: 1000 };
        const other = { memory: hostMemory(new Uint8Array(2500)), originBytes: 0 };
        const binding = { source: span, target: other, ...range };
        expect(check.passes(binding)).toBe(new QuickCheck(move, conditions()).passes(binding));
      }
    }),
    { numRuns: 1000 },
  );
});

it("passes two parts of one buffer, and none that share a byte", () => {
  const bytes = new Uint8Array(64);
  const check = new QuickCheck(packMove(denseLayout(16)), conditions());
  const at = (from: number): Span => ({ memory: hostMemory(bytes.subarray(from, from + 16)), originBytes: 0 });
  const whole = { count: 1, first: 0, length: 16 };
  expect([0, 15, 16, 31, 32].map((from) => check.passes({ source: at(16), target: at(from), ...whole }))).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
});

it("passes nothing that is no binding", () => {
  const check = new QuickCheck(packMove(denseLayout(16)), conditions());
  const whole = { count: 1, first: 0, length: 16 };
  const span = { memory: hostMemory(new Uint8Array(16)), originBytes: 0 };
  for (const wrong of [
    null,
    3,
    {},
    whole,
    { ...whole, source: span, target: null },
    { ...whole, source: {}, target: span },
  ])
    expect(check.passes(wrong as never)).toBe(false);
});

const resizableOf = (bytes: number) =>
  runInThisContext(`new ArrayBuffer(${bytes}, { maxByteLength: ${2 * bytes} })`) as ArrayBuffer;

it("sees a detached buffer in code that V8 has optimised for fixed and resizable buffers", () => {
  const memories = [...Array.from({ length: 20 }, () => new ArrayBuffer(16)), resizableOf(16)].map(hostMemory);
  const isAttached = (memory: Buffer): boolean => HostBuffer.is(memory) && memory.isAttached;
  for (let i = 0; i < 200_000; i++) if (!isAttached(memories[i % memories.length]!)) throw new Error("expected all");
  const [gone] = memories;
  structuredClone(gone!.bytes!.buffer, { transfer: [gone!.bytes!.buffer as ArrayBuffer] });
  expect(memories.map(isAttached)).toEqual(memories.map((memory) => memory !== gone));
});

it("sees that a buffer has been detached, or has shrunk", () => {
  const check = new QuickCheck(packMove(denseLayout(16)), conditions());
  const resizable = resizableOf(16) as ArrayBuffer & { resize(bytes: number): void };
  const [gone, shrunk, whole] = [new ArrayBuffer(16), resizable, new ArrayBuffer(16)].map((each) => hostMemory(each));
  const passes = (memory: Buffer): boolean =>
    check.passes({
      source: { memory, originBytes: 0 },
      target: { memory: whole!, originBytes: 0 },
      count: 1,
      first: 0,
      length: 16,
    });
  expect([passes(gone!), passes(shrunk!)]).toEqual([true, true]);
  structuredClone(gone!.bytes!.buffer, { transfer: [gone!.bytes!.buffer as ArrayBuffer] });
  resizable.resize(8);
  expect([passes(gone!), passes(shrunk!)]).toEqual([false, false]);
});
