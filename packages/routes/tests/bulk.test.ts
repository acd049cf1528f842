import { anyDatatype } from "@stowage/arbitraries";
import { forEachRun, canonicalise, indexed, lower, predefined, vector, type Layout } from "@stowage/ir";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { intervalsOf } from "../src/bulk/intervals.js";
import { passesOf } from "../src/bulk/sections.js";
import { bindingOf, bulkStage, packedOf, REACH_BYTES, SIZE_BYTES } from "./stage.js";

const seed = Number(process.env["STOWAGE_SEED"] ?? Date.now() % 2 ** 31);
const DOUBLE = predefined("MPI_DOUBLE");

/** The least intervals that hold all runs of a range and no gap longer than a short one. */
function reference(layout: Layout, count: number, first: number, length: number) {
  const runs: { low: number; high: number }[] = [];
  forEachRun(layout, { count, first, length }, (offset, bytes) => runs.push({ low: offset, high: offset + bytes }));
  const merged: { low: number; high: number }[] = [];
  for (const run of runs.sort((a, b) => a.low - b.low)) {
    const last = merged.at(-1);
    if (last !== undefined && run.low <= last.high + 2 ** 14) last.high = Math.max(last.high, run.high);
    else merged.push({ ...run });
  }
  return merged;
}

test(`sections hold every run and no long gap, whatever the range: seed ${seed}`, () => {
  fc.assert(
    fc.property(anyDatatype(), fc.nat(5), fc.nat(), fc.nat(), fc.constantFrom(1, 3000), (type, count, a, b, spread) => {
      const layout = canonicalise(lower(spread === 1 ? type : vector(3, 1, spread, type)));
      const total = layout.sizeBytes * count;
      const first = total === 0 ? 0 : a % total;
      const length = total === 0 ? 0 : b % (total - first + 1);
      fc.pre(length > 0);
      expect(intervalsOf(layout, { count, first, length })).toEqual(reference(layout, count, first, length));
    }),
    { seed, numRuns: 300 },
  );
});

test("a regular type of many rows is one section, found without a walk over them", () => {
  const layout = canonicalise(lower(vector(2 ** 30, 1, 2, DOUBLE)));
  const whole = { count: 1, first: 0, length: layout.sizeBytes };
  expect(intervalsOf(layout, whole)).toEqual([{ low: 0, high: layout.trueExtentBytes }]);
  expect(intervalsOf(layout, { ...whole, first: 12, length: 2 ** 32 })).toEqual([{ low: 20, high: 2 ** 33 + 20 }]);
});

test("passes are whole ranges, in order, of no more bytes than a mirror has", () => {
  const layout = canonicalise(lower(indexed([1, 3, 2, 900], [0, 5, 40_000, 90_000], DOUBLE)));
  const binding = {
    ...bindingOf({ kind: "device", sizeBytes: 2 ** 20 }, { kind: "host", sizeBytes: 2 ** 14 }),
    first: 3,
  };
  const passes = passesOf(layout, { ...binding, length: layout.sizeBytes - 3 }, 1000);
  expect(passes.length).toBeGreaterThan(4);
  let next = 3;
  for (const { first, length, sizeBytes } of passes) {
    expect(first).toBe(next);
    expect(sizeBytes).toBeLessThanOrEqual(1000);
    next += length;
  }
  expect(next).toBe(layout.sizeBytes);
});

describe("a bulk plan of several passes", () => {
  const target = () => ({ kind: "host", sizeBytes: SIZE_BYTES, bytes: new Uint8Array(SIZE_BYTES) }) as const;

  test.each([1, 2])("packs right through %d mirrors, and gives them back", (buffers) => {
    const { context, bulk, fill, pool } = bulkStage({}, { stagingBytes: 512, buffers });
    const data = context.deviceMemory(REACH_BYTES);
    const expected = packedOf(fill(data.address, 4));
    const into = target();
    const plan = bulk().bind([bindingOf(data, into)]);
    for (let run = 0; run < 2; run++) {
      into.bytes.fill(0);
      plan.run(context.stream());
      expect(into.bytes).toEqual(expected);
      expect(pool().use.taken).toBe(0);
    }
  });

  test("whose device is lost midway says so, and the pool serves the next run", () => {
    let copies = Infinity;
    const { context, bulk, fill, pool } = bulkStage(
      { fault: (call) => (call === "cuMemcpyAsync" && copies-- <= 0 ? 719 : undefined) },
      { stagingBytes: 512 },
    );
    const data = context.deviceMemory(REACH_BYTES);
    const expected = packedOf(fill(data.address, 4));
    const into = target();
    const plan = bulk().bind([bindingOf(data, into)]);
    copies = 2;
    expect(() => plan.run()).toThrow(/^cuMemcpyAsync: CUDA_ERROR_LAUNCH_FAILED/);
    expect(pool().use.taken).toBe(0);
    copies = Infinity;
    plan.run();
    expect(into.bytes).toEqual(expected);
  });

  test("refuses a capturing stream, and memory that was detached since", () => {
    const { context, bulk } = bulkStage();
    const into = target();
    const plan = bulk().bind([bindingOf(context.deviceMemory(REACH_BYTES), into)]);
    const stream = context.stream();
    expect(() => stream.capture(() => void plan.run(stream))).toThrow(
      /^queue of a bulk plan: expected one that is not/,
    );
    structuredClone(into.bytes.buffer, { transfer: [into.bytes.buffer] });
    expect(() => plan.run()).toThrow(/^target of move 0: expected a view of 1024 bytes, got 0: detached/);
  });
});
