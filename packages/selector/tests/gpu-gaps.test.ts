import { anyDatatype } from "@stowage/arbitraries";
import { conditions, packMove, unpackMove, type Backend, type Binding, type Move } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { openSimulatedCuda, type Driver } from "@stowage/cuda-driver";
import { testMemory } from "@stowage/cuda-plans";
import { canonicalise, forEachRun, hvector, lower, predefined, type Layout } from "@stowage/ir";
import { SimulatedMemory } from "@stowage/ptx";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

const LINE_BYTES = 64;
const KINDS = conditions({ sourceKind: "device", targetKind: "device" });
/** A third, as the laws on simulated devices. */
const RUNS = Math.ceil(Number(process.env["STOWAGE_LAW_RUNS"] ?? 180) / 3);

const BACKENDS: Readonly<Record<string, (driver: Driver) => Backend>> = {
  "cuda-generic": (driver) => new CudaGenericBackend({ driver }),
  "cuda-generic, specialised": (driver) => new CudaGenericBackend({ driver, tuning: { tier: "specialised" } }),
  "cuda-generic, a part a transfer": (driver) => new CudaGenericBackend({ driver, tuning: { partBytes: 1 } }),
  "cuda-strided": (driver) => new CudaStridedBackend(() => driver),
  dma: (driver) => new DmaBackend(() => driver),
};

interface Case {
  readonly layout: Layout;
  readonly count: number;
  /** Where the elements' lowest byte lies in its line. */
  readonly shift: number;
}

const byte = predefined("MPI_BYTE");
/** Rows of few bytes far apart, by which words and chunks reach furthest into gaps. */
const anyRows = fc
  .record({
    rows: fc.integer({ min: 1, max: 40 }),
    bytes: fc.integer({ min: 1, max: 40 }),
    gap: fc.integer({ min: 0, max: 300 }),
  })
  .map(({ rows, bytes, gap }) => hvector(rows, bytes, bytes + gap, byte));

const anyCase: fc.Arbitrary<Case> = fc
  .record({
    datatype: fc.oneof(anyDatatype({ maxSizeBytes: 512, maxReachBytes: 4096, disjoint: true }), anyRows),
    count: fc.integer({ min: 1, max: 3 }),
    shift: fc.nat({ max: LINE_BYTES - 1 }),
  })
  .map(({ datatype, count, shift }) => ({ layout: canonicalise(lower(datatype)), count, shift }))
  .filter(({ layout }) => layout.sizeBytes > 0);

/** Runs a move whose scattered side has nothing but the lines that hold a byte of the type map. */
function moves(make: (driver: Driver) => Backend, move: Move, { layout, count, shift }: Case): void {
  const memory = new SimulatedMemory({ capacityBytes: 2 ** 20 });
  const driver = openSimulatedCuda({ memory });
  const device = testMemory(driver.context(), "device");
  const backend = make(driver);
  fc.pre(backend.supports([move], KINDS).ok);
  const range = { count, first: 0, length: count * layout.sizeBytes };
  const { low, high } = reachOf(layout, range);
  const apart = device.allocate(Math.ceil((high - low + shift) / LINE_BYTES + 1) * LINE_BYTES);
  const packed = device.allocate(range.length);
  const scattered = { memory: apart, originBytes: shift - low };
  const dense = { memory: packed, originBytes: 0 };
  const packs = move.source === layout;
  const [source, target] = packs ? [scattered, dense] : [dense, scattered];
  const data = Uint8Array.from({ length: Math.max(apart.sizeBytes, range.length) }, (_, i) => (i * 37 + 11) & 255);
  device.write(apart, 0, data.subarray(0, apart.sizeBytes));
  device.write(packed, 0, data.subarray(0, range.length));
  const lines = new Set<number>();
  forEachRun(layout, range, (offset, bytes) => {
    const from = scattered.originBytes + offset;
    for (let line = Math.floor(from / LINE_BYTES); line * LINE_BYTES < from + bytes; line++) lines.add(line);
  });
  for (let line = 0; line * LINE_BYTES < apart.sizeBytes; line++) {
    const at = line * LINE_BYTES;
    if (!lines.has(line)) memory.unmap(BigInt((apart.address ?? 0) + at), Math.min(LINE_BYTES, apart.sizeBytes - at));
  }
  const binding: Binding = { source, target, ...range };
  backend
    .load(backend.compile([move], KINDS))
    .bind([binding])
    .run()
    .wait();
  let done = 0;
  const stream = packs ? device.read(packed, 0, range.length) : data;
  forEachRun(layout, range, (offset, bytes) => {
    const from = scattered.originBytes + offset;
    const there = packs ? data.subarray(from, from + bytes) : device.read(apart, from, bytes);
    expect(stream.slice(done, done + bytes)).toEqual(there.slice());
    done += bytes;
  });
}

function reachOf(layout: Layout, range: { readonly count: number; readonly first: number; readonly length: number }) {
  let [low, high] = [Infinity, -Infinity];
  forEachRun(layout, range, (offset, bytes) => {
    low = Math.min(low, offset);
    high = Math.max(high, offset + bytes);
  });
  // A binding needs room for whole elements.
  const ends = [0, (range.count - 1) * layout.extentBytes];
  const start = layout.trueLowerBoundBytes;
  return {
    low: Math.min(low, ...ends.map((end) => end + start)),
    high: Math.max(high, ...ends.map((end) => end + start + layout.trueExtentBytes)),
  };
}

describe.each(Object.entries(BACKENDS))(
  "%s: law 3, a gap may be unmapped beyond the lines that hold data",
  (_, make) => {
    it("packing reads none of it", () => {
      fc.assert(
        fc.property(anyCase, (each) => moves(make, packMove(each.layout), each)),
        { numRuns: RUNS, seed: 20_250_117 },
      );
    });
    it("unpacking touches none of it", () => {
      fc.assert(
        fc.property(anyCase, (each) => moves(make, unpackMove(each.layout), each)),
        { numRuns: RUNS, seed: 20_250_118 },
      );
    });
  },
);
