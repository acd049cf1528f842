import { conditions, DeviceError, packMove, unpackMove, type Binding, type Buffer } from "@stowage/backend-api";
import { DriverError, openSimulatedCuda } from "@stowage/cuda-driver";
import { canonicalise, hvector, indexed, lower, predefined } from "@stowage/ir";
import { testMemory } from "@stowage/cuda-plans";
import { describe, expect, test } from "vitest";
import { CudaGenericBackend } from "../src/index.js";

const driver = openSimulatedCuda({ devices: 2 });
const context = driver.context(0);
const memory = testMemory(context, "device");
const foreign = testMemory(driver.context(1), "device");
const double = predefined("MPI_DOUBLE");
const kinds = conditions({ sourceKind: "device", targetKind: "device" });
const strided = canonicalise(lower(hvector(100, 1, 24, double)));
const backend = new CudaGenericBackend({ driver });

const bindingOf = (source: Buffer, target: Buffer): Binding => ({
  source: { memory: source, originBytes: 0 },
  target: { memory: target, originBytes: 0 },
  count: 1,
  first: 0,
  length: 800,
});

describe("many transfers", () => {
  test("of different types and both directions are one launch, and can be rebound one by one", () => {
    const listed = canonicalise(lower(indexed([3, 1, 2], [0, 9, 20], double)));
    const lists = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? packMove(strided) : unpackMove(listed)));
    const scattered = memory.allocate(40 * 4096);
    const packed = memory.allocate(40 * 1024);
    const bytes = (length: number, salt: number) => Uint8Array.from({ length }, (_, i) => (i * 37 + salt) & 255);
    memory.write(scattered, 0, bytes(40 * 4096, 1));
    memory.write(packed, 0, bytes(40 * 1024, 2));
    const [image, stream] = [memory.read(scattered, 0, 40 * 4096), memory.read(packed, 0, 40 * 1024)];
    const bindings = lists.map((move, i): Binding => {
      const length = move.source.sizeBytes;
      const there = { memory: scattered, originBytes: i * 4096 };
      const dense = { memory: packed, originBytes: i * 1024 };
      return i % 2 === 0
        ? { source: there, target: dense, count: 1, first: 0, length }
        : { source: dense, target: there, count: 1, first: 0, length };
    });
    const plan = backend.load(backend.compile(lists, kinds)).bind(bindings);
    plan.run().wait();
    for (let i = 0; i < 40; i++) {
      if (i % 2 === 0)
        for (let b = 0; b < 100; b++)
          stream.set(image.subarray(i * 4096 + 24 * b, i * 4096 + 24 * b + 8), i * 1024 + 8 * b);
      else
        for (const [at, from, to] of [
          [0, 0, 24],
          [72, 24, 32],
          [160, 32, 48],
        ] as const)
          image.set(stream.subarray(i * 1024 + from, i * 1024 + to), i * 4096 + at);
    }
    expect(memory.read(scattered, 0, 40 * 4096)).toEqual(image);
    expect(memory.read(packed, 0, 40 * 1024)).toEqual(stream);
    const first = bindings[0] as Binding;
    plan.rebind(0, { ...first, length: 8, target: { memory: packed, originBytes: 900 } });
    plan.run().wait();
    expect(memory.read(packed, 900, 8)).toEqual(image.subarray(0, 8));
  });
});

describe("memory that only the driver knows about is refused before the launch", () => {
  const kernel = backend.load(backend.compile([packMove(strided)], kinds));
  const [source, target] = [memory.allocate(4096), memory.allocate(800)];

  test("an address that was freed", () => {
    const gone = memory.allocate(4096);
    memory.free?.(gone);
    expect(() => kernel.bind([bindingOf(gone, target)])).toThrow(
      /source of move 0: expected device memory at 0x.*, got an address that no allocation/,
    );
  });
  test("pinned memory declared as the device's", () => {
    const pinned = testMemory(context, "pinned").allocate(4096);
    expect(() => kernel.bind([bindingOf({ ...pinned, kind: "device" }, target)])).toThrow("got pinned memory");
  });
  test("another device's memory, passed off as the own", () => {
    const claimed = { ...foreign.allocate(800), device: 0 };
    expect(() => kernel.bind([bindingOf(source, claimed)])).toThrow(
      "target of move 0: expected memory that device 0 reaches, got memory of device 1",
    );
  });
  test("an allocation shorter than declared", () => {
    expect(() => kernel.bind([bindingOf({ ...source, sizeBytes: 8192 }, target)])).toThrow(
      "source of move 0: expected 8192 bytes allocated, got 4096",
    );
  });
  test("host memory, by supports()", () => {
    const support = backend.supports([packMove(strided)], conditions());
    expect(support).toEqual({ ok: false, reason: "a GPU does not reach host memory: pin it, or copy it" });
  });
});

describe("a device that fails", () => {
  test("gives a DeviceError with the driver's own words", () => {
    let lost = false;
    const failing = openSimulatedCuda({ fault: (call) => (lost && call === "cuLaunchKernelEx" ? 719 : undefined) });
    const own = testMemory(failing.context(), "device");
    const failingBackend = new CudaGenericBackend({ driver: failing });
    const plan = failingBackend
      .load(failingBackend.compile([packMove(strided)], kinds))
      .bind([bindingOf(own.allocate(4096), own.allocate(800))]);
    lost = true;
    expect(() => plan.run()).toThrow(DeviceError);
    try {
      plan.run();
    } catch (error) {
      expect((error as Error).cause).toBeInstanceOf(DriverError);
    }
  });
});
