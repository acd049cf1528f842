import {
  conditions,
  packMove,
  unpackMove,
  type Backend,
  type Binding,
  type Buffer,
  type Plan,
} from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { openSimulatedCuda, type Driver } from "@stowage/cuda-driver";
import { testMemory } from "@stowage/cuda-plans";
import { forEachRun, hvector, indexed, lower, predefined, type Datatype, type Layout } from "@stowage/ir";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

const KINDS = conditions({ sourceKind: "device", targetKind: "device" });
const double = predefined("MPI_DOUBLE");
const byte = predefined("MPI_BYTE");
const ROOM_BYTES = 4096;

const COLUMN = hvector(40, 8, 64, byte);
const RAGGED = indexed([3, 1, 2, 5], [0, 9, 20, 31], double);
const ODD = hvector(60, 5, 11, byte);

type Make = (driver: Driver) => Backend;
const BACKENDS: readonly (readonly [name: string, make: Make, types: readonly Datatype[]])[] = [
  ["cuda-generic", (driver) => new CudaGenericBackend({ driver }), [COLUMN, RAGGED, ODD]],
  [
    "cuda-generic, its transfers in device memory",
    (driver) => new CudaGenericBackend({ driver, tuning: { planSpace: "memory" } }),
    [COLUMN, RAGGED, ODD],
  ],
  [
    "cuda-generic, specialised",
    (driver) => new CudaGenericBackend({ driver, tuning: { tier: "specialised" } }),
    [COLUMN, RAGGED],
  ],
  ["cuda-strided", (driver) => new CudaStridedBackend(() => driver), [COLUMN, ODD]],
  ["cuda-strided, specialised", (driver) => new CudaStridedBackend(() => driver, { specialise: true }), [COLUMN, ODD]],
  ["dma", (driver) => new DmaBackend(() => driver), [COLUMN, RAGGED, ODD]],
];

/** Where a move is bound to next: rooms of one allocation, and bytes from their start. */
interface Step {
  readonly source: number;
  readonly target: number;
  readonly shifts: readonly [source: number, target: number];
  readonly first: number;
  readonly queue: "none" | "blocking" | "apart";
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  source: fc.nat({ max: 3 }),
  target: fc.nat({ max: 3 }),
  shifts: fc.tuple(fc.constantFrom(0, 0, 8, 4, 1, 3), fc.constantFrom(0, 0, 8, 2, 5)),
  first: fc.constantFrom(0, 0, 0, 8, 13),
  queue: fc.constantFrom("none", "none", "blocking", "apart"),
});

const patterned = (sizeBytes: number): Uint8Array =>
  Uint8Array.from({ length: sizeBytes }, (_, i) => (i * 131 + (i >> 8) * 17 + 7) & 255);

/** What a step's pack writes, by the byte map. */
function packedBy(layout: Layout, image: Uint8Array, at: number, first: number): Uint8Array {
  const packed = new Uint8Array(layout.sizeBytes - first);
  let done = 0;
  forEachRun(layout, { count: 1, first, length: packed.length }, (offset, bytes) => {
    packed.set(image.subarray(at + offset, at + offset + bytes), done);
    done += bytes;
  });
  return packed;
}

function bindingOf(layout: Layout, from: Buffer, to: Buffer, { source, target, shifts, first }: Step): Binding {
  const at = (room: number, shift: number): number => room * ROOM_BYTES + shift;
  return {
    source: { memory: from, originBytes: at(source, shifts[0]) },
    target: { memory: to, originBytes: at(target, shifts[1]) - first },
    count: 1,
    first,
    length: layout.sizeBytes - first,
  };
}

describe.each(BACKENDS)("%s: a plan that is bound again and again", (_, make, types) => {
  it("moves what it is bound to when it runs, whatever it ran before and wherever", () => {
    const driver = openSimulatedCuda();
    const context = driver.context();
    const memory = testMemory(context, "device");
    const [from, to] = [memory.allocate(4 * ROOM_BYTES), memory.allocate(4 * ROOM_BYTES)];
    const image = patterned(4 * ROOM_BYTES);
    memory.write(from, 0, image);
    const streams = { none: undefined, blocking: context.stream({ blocking: true }), apart: context.stream() };
    const backend = make(driver);
    for (const type of types) {
      const layout = lower(type);
      const kernel = backend.load(backend.compile([packMove(layout)], KINDS));
      fc.assert(
        fc.property(fc.array(anyStep, { minLength: 2, maxLength: 12 }), (steps) => {
          const [start, ...rest] = steps.map((step) => bindingOf(layout, from, to, step));
          using plan: Plan = kernel.bind([start as Binding]);
          [start as Binding, ...rest].forEach((binding, i) => {
            const { source, target, shifts, first, queue } = steps[i] as Step;
            if (i > 0) plan.rebind(0, binding);
            plan.run(streams[queue]).wait();
            const expected = packedBy(layout, image, source * ROOM_BYTES + shifts[0], first);
            expect(memory.read(to, target * ROOM_BYTES + shifts[1], expected.length)).toEqual(expected);
          });
        }),
        { numRuns: 25, seed: 20_250_117 },
      );
    }
  });

  it("asks the driver nothing for other addresses of the same alignment, and sends no more than before", () => {
    const calls: string[] = [];
    const driver = openSimulatedCuda({ fault: (call) => void calls.push(call) });
    const context = driver.context();
    const memory = testMemory(context, "device");
    const [apart, packed] = [memory.allocate(4 * ROOM_BYTES), memory.allocate(4 * ROOM_BYTES)];
    const backend = make(driver);
    for (const layout of types.map((type) => lower(type))) {
      for (const move of [packMove(layout), unpackMove(layout)]) {
        const [from, to] = move.source === layout ? [apart, packed] : [packed, apart];
        const at = (source: number, target: number): Binding =>
          bindingOf(layout, from, to, { source, target, shifts: [0, 0], first: 0, queue: "none" });
        using plan = backend.load(backend.compile([move], KINDS)).bind([at(0, 0)]);
        plan.run();
        const before = calls.splice(0).filter(isSent);
        plan.rebind(0, at(1, 2));
        expect(calls).toEqual([]);
        plan.run();
        expect(calls.filter(isSent).length).toBeLessThanOrEqual(before.length + UPLOADS);
        expect(calls).not.toContain("cuMemAlloc_v2");
        calls.length = 0;
      }
    }
  });
});

/** A list of transfers that is too long for parameters goes to the device again. */
const UPLOADS = 1;
const isSent = (call: string): boolean => call.startsWith("cuMemcpy") || call === "cuLaunchKernelEx";
