import { conditions, packMove, unpackMove, type Binding, type Buffer } from "@stowage/backend-api";
import { captureGraph, copyBytes, openSimulatedCuda } from "@stowage/cuda-driver";
import { lower, predefined, runs, vector } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { CudaStridedBackend, DoorbellBackend } from "../src/index.js";

const driver = openSimulatedCuda();
const context = driver.context();
const strided = new CudaStridedBackend(() => driver);
const backend = new DoorbellBackend(strided, { idleMicroseconds: 1 });
const type = vector(40, 3, 7, predefined("MPI_FLOAT"));
const layout = lower(type);
const { sizeBytes, trueExtentBytes } = layout;
const toHost = conditions({ sourceKind: "device", targetKind: "pinned" });

const imageOf = (seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: trueExtentBytes }, (_, i) => (i * 11 + seed) & 255);
const packedOf = (image: Uint8Array): Uint8Array =>
  Uint8Array.from(
    Array.from(runs(layout, { count: 1, first: 0, length: sizeBytes })).flatMap((run) =>
      Array.from(image.subarray(run.offsetBytes, run.offsetBytes + run.lengthBytes)),
    ),
  );

function filled(seed: number) {
  const memory = context.deviceMemory(trueExtentBytes);
  const bytes = imageOf(seed);
  copyBytes(context, memory.address, context.libcuda.addressOf(bytes), bytes.length).run({ handle: 0 });
  context.synchronize();
  return { memory, packed: packedOf(bytes) };
}

const bindingOf = (source: Buffer, target: Buffer, first = 0, length = sizeBytes): Binding => ({
  source: { memory: source, originBytes: 0 },
  target: { memory: target, originBytes: 0 },
  count: 1,
  first,
  length,
});
const kernelOf = (move = packMove(layout), given = toHost) => backend.load(backend.compile([move], given));

test("artifacts of the backend that it was given are another's", () => {
  const artifact = strided.compile([packMove(layout)], toHost);
  expect(() => backend.load(artifact)).toThrow(
    "artifact: expected one of doorbell/cuda-strided, got one of cuda-strided",
  );
  expect(() => strided.load(backend.compile([packMove(layout)], toHost))).toThrow(
    "expected format 2 of cuda-strided, got format 2 of doorbell",
  );
});

describe("a doorbell", () => {
  test("packs at every run what the source holds then, after what its queue held, and comes back after it left", () => {
    const { memory } = filled(1);
    const target = context.pinnedMemory(sizeBytes);
    using stream = context.stream();
    using kernel = kernelOf();
    using plan = kernel.bind([bindingOf(memory, target)]);
    for (const [seed, queue] of [
      [5, stream],
      [6, undefined],
      [7, stream],
    ] as const) {
      const image = imageOf(seed);
      copyBytes(context, memory.address, context.libcuda.addressOf(image), image.length).run(queue ?? { handle: 0 });
      target.bytes.fill(0);
      expect(plan.run(queue).poll()).toBe(true);
      expect(target.bytes).toEqual(packedOf(image));
    }
  });

  test("takes other memory, other ranges, and none", () => {
    const [one, two] = [filled(2), filled(3)];
    const target = context.pinnedMemory(sizeBytes);
    using kernel = kernelOf();
    using plan = kernel.bind([bindingOf(one.memory, target)]);
    plan.rebind(0, bindingOf(two.memory, target));
    plan.run().wait();
    expect(target.bytes).toEqual(two.packed);
    target.bytes.fill(0xee);
    plan.rebind(0, bindingOf(one.memory, target, 12, 40));
    plan.run().wait();
    expect(target.bytes.subarray(12, 52)).toEqual(one.packed.subarray(12, 52));
    expect([target.bytes[11], target.bytes[52]]).toEqual([0xee, 0xee]);
    target.bytes.fill(0xee);
    plan.rebind(0, bindingOf(one.memory, target, 0, 0));
    plan.run().wait();
    expect(target.bytes.every((byte) => byte === 0xee)).toBe(true);
    plan.rebind(0, bindingOf(two.memory, target));
    plan.run().wait();
    expect(target.bytes).toEqual(two.packed);
  });

  test("unpacks", () => {
    const data = filled(4);
    const packed = context.pinnedMemory(sizeBytes);
    packed.bytes.set(data.packed);
    const into = context.deviceMemory(trueExtentBytes);
    using kernel = kernelOf(unpackMove(layout), conditions({ sourceKind: "pinned", targetKind: "device" }));
    using plan = kernel.bind([bindingOf(packed, into)]);
    plan.run().wait();
    const again = context.pinnedMemory(sizeBytes);
    using back = kernelOf();
    using packing = back.bind([bindingOf(into, again)]);
    packing.run().wait();
    expect(again.bytes).toEqual(data.packed);
  });

  test("says whose bell it is, and takes as long as a launch without what a launch alone costs", () => {
    using kernel = kernelOf();
    expect(kernel.explain()).toContain("route doorbell/cuda-strided: a kernel that stays on the device is rung");
    const profile = {
      machine: "any",
      figures: { "cuda-strided": { "pack.bus.call": 8000, "pack.bus.packedByte": 0.02 } },
    };
    const [rung, launched] = [backend, strided].map((each) => each.predict([packMove(layout)], toHost, profile).runNs);
    expect((launched ?? 0) - (rung ?? 0)).toBeCloseTo((1 - 3.4 / 9.7) * 8000, 0);
  });

  test("is refused what it cannot do, and is used no more once it was let go", () => {
    const data = filled(9);
    const target = context.pinnedMemory(sizeBytes);
    expect(() => new DoorbellBackend(strided, { idle: 1 } as never)).toThrow("options of doorbell/cuda-strided");
    using kernel = kernelOf();
    const plan = kernel.bind([bindingOf(data.memory, target)]);
    using stream = context.stream();
    expect(() => captureGraph(context, stream, () => plan.run(stream))).toThrow(
      "queue of a doorbell: expected one that is not capturing, got one that is: bells are in no graph",
    );
    plan[Symbol.dispose]();
    expect(() => plan.run()).toThrow("plan: expected one in use, got a disposed one");
  });
});
