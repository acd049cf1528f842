import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { contiguous, forEachRun, indexed, lower, predefined, vector, type Datatype } from "@stowage/ir";
import { describe, expect, test, vi } from "vitest";
import { createEngine, type CommitOptions } from "../src/index.js";

const DOUBLE = predefined("MPI_DOUBLE");
const ON_DEVICE: CommitOptions = { memory: "device", packedMemory: "device" };
const ONE_SHOT: CommitOptions = { memory: "device", packedMemory: "pinned" };

const column = vector(4, 1, 4, DOUBLE);
const ragged = indexed([1, 3, 2], [0, 5, 13], DOUBLE);

function simulated() {
  const driver = openSimulatedCuda();
  return { driver, context: driver.context(), engine: createEngine({ cuda: () => driver }) };
}

/** The packed bytes by the runs of the layout as lowered. */
function packedBytes(type: Datatype, data: Uint8Array): number[] {
  const layout = lower(type);
  const bytes: number[] = [];
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offset, length) => {
    bytes.push(...data.subarray(offset, offset + length));
  });
  return bytes;
}

describe("device memory", () => {
  test.each([
    ["contiguous bytes to pinned memory", contiguous(9, DOUBLE), "pinned"],
    ["a strided object to pinned memory", column, "pinned"],
    ["a strided object to managed memory", column, "managed"],
    ["a list of blocks to pinned memory", ragged, "pinned"],
    ["a list of blocks to managed memory", ragged, "managed"],
  ] as const)("%s: packs and unpacks the driver's memory objects, in the order of a queue", (_, type, packedMemory) => {
    const { context, engine } = simulated();
    using queue = context.stream();
    const { sizeBytes, trueExtentBytes } = lower(type);
    const [from, into] = [context.managedMemory(trueExtentBytes), context.managedMemory(trueExtentBytes)];
    from.bytes.forEach((_, i) => (from.bytes[i] = i * 7 + 1));
    const packed = packedMemory === "pinned" ? context.pinnedMemory(sizeBytes) : context.managedMemory(sizeBytes);
    const committed = engine.commit(type, { memory: "managed", packedMemory });
    const packing = committed.pack(from, packed, { queue });
    const unpacking = committed.unpack(packed, into, { queue });
    unpacking.wait();
    expect(packing.poll()).toBe(true);
    expect([...packed.bytes]).toEqual(packedBytes(type, from.bytes));
    expect(packedBytes(type, into.bytes)).toEqual([...packed.bytes]);
    engine[Symbol.dispose]();
  });

  test("cuda-generic's kernels are shaped as asked: the specialised tier moves the same bytes", () => {
    const driver = openSimulatedCuda();
    const context = driver.context();
    const rendered = vi.spyOn(context.libcuda, "rendered");
    using engine = createEngine({ cuda: () => driver, cudaTuning: { tier: "specialised" } });
    const { sizeBytes, trueExtentBytes } = lower(ragged);
    const source = context.pinnedMemory(trueExtentBytes);
    source.bytes.forEach((_, i) => (source.bytes[i] = i * 7 + 1));
    const packed = context.pinnedMemory(sizeBytes);
    engine
      .commit(ragged, { memory: "pinned", packedMemory: "pinned", backend: "cuda-generic" })
      .pack(source, packed)
      .wait();
    expect([...packed.bytes]).toEqual(packedBytes(ragged, source.bytes));
    expect(rendered.mock.calls.map(([, kernel]) => kernel.name)).toEqual(["specialised"]);
  });

  test("a run that nobody waited for is over when its engine is disposed of", () => {
    const { context, engine } = simulated();
    const source = context.managedMemory(128);
    source.bytes.fill(9);
    const packed = context.pinnedMemory(32);
    engine.commit(column, { memory: "managed", packedMemory: "pinned" }).pack(source, packed);
    engine[Symbol.dispose]();
    expect([...packed.bytes]).toEqual(new Array(32).fill(9));
  });

  test.each(["cuda-generic", "cuda-strided", "dma"])(
    "an engine that worked by %s lets go of the device with its last breath",
    (backend) => {
      const driver = openSimulatedCuda();
      const engine = createEngine({ cuda: () => driver, backend });
      const user = driver.context();
      const [source, packed] = [user.deviceMemory(128), user.deviceMemory(32)];
      const committed = engine.commit(column, ON_DEVICE);
      committed.pack(source, packed).wait();
      const plan = committed.plan("pack", { memory: source, originBytes: 0 }, { memory: packed, originBytes: 0 });
      user[Symbol.dispose]();
      expect(driver.isHeld(0)).toBe(true);
      plan[Symbol.dispose]();
      engine[Symbol.dispose]();
      expect(driver.isHeld(0)).toBe(false);
    },
  );

  test("a run that failed says so to who waits, once and again", () => {
    let lost = false;
    const driver = openSimulatedCuda({
      fault: (call) => (lost && /^cuEvent(Query|Synchronize)/.test(call) ? 999 : undefined),
    });
    const context = driver.context();
    const engine = createEngine({ cuda: () => driver });
    const completion = engine.commit(column, ON_DEVICE).pack(context.deviceMemory(128), context.deviceMemory(32));
    lost = true;
    expect(() => completion.wait()).toThrow(/cuEventSynchronize/);
    expect(() => completion.wait()).toThrow(/cuEventSynchronize/);
    lost = false;
    engine[Symbol.dispose]();
  });
});

describe("the choice", () => {
  test.each([
    ["host memory", column, {}, /^(x64|cpu)$/],
    ["pinned memory on both sides", column, { memory: "pinned", packedMemory: "pinned" }, /^(x64|cpu)$/],
    ["a strided object on a device", column, ON_DEVICE, /^(cuda|dma)/],
    ["a strided object to pinned memory", column, ONE_SHOT, /^(cuda|dma)/],
    ["a list of blocks on a device", ragged, ON_DEVICE, /^cuda-generic/],
  ] satisfies [string, Datatype, CommitOptions, RegExp][])("%s", (_, type, options, name) => {
    using engine = simulated().engine;
    const committed = engine.commit(type, { count: 1, ...options });
    for (const direction of ["pack", "unpack"] as const) {
      const { chosen, candidates } = committed.choice(direction);
      expect(chosen.name).toMatch(name);
      const times = candidates.flatMap(({ prediction }) => prediction?.runNs ?? []);
      const own = candidates.find(({ backend }) => backend === chosen)?.prediction?.runNs ?? Infinity;
      expect(own).toBeLessThanOrEqual(Math.min(...times) * 1.06);
    }
  });

  test("an option and the environment go before it, and the others say so", () => {
    vi.stubEnv("STOWAGE_BACKEND", "cuda-generic");
    using engine = simulated().engine;
    const choice = engine.commit(column, ON_DEVICE).choice("pack");
    expect(choice.chosen.name).toBe("cuda-generic");
    expect(choice.candidates.find(({ backend }) => backend.name === "cuda-strided")?.support).toEqual({
      ok: false,
      reason: "cuda-generic was asked for by name",
    });
    expect(engine.commit(column, { ...ON_DEVICE, backend: "cuda-strided" }).choice("pack").chosen.name).toBe(
      "cuda-strided",
    );
    vi.unstubAllEnvs();
  });
});

describe("the driver", () => {
  test("is not looked for where memory is the host's, and opened once where it is a device's", () => {
    const open = vi.fn(openSimulatedCuda);
    using engine = createEngine({ cuda: () => open() });
    const committed = engine.commit(column);
    committed.pack(new Float64Array(16), new Float64Array(4)).wait();
    expect(committed.choice("pack").candidates.length).toBeGreaterThan(3);
    expect(open).not.toHaveBeenCalled();
    engine.commit(column, ON_DEVICE);
    engine.commit(ragged, ON_DEVICE);
    expect(open).toHaveBeenCalledOnce();
  });

  test("that is not there leaves the CUDA backends registered, and saying why", () => {
    using engine = createEngine({ cuda: () => openCuda("libnowhere.so.1") });
    expect(engine.backends.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["cuda-generic", "cuda-strided", "dma"]),
    );
    expect(() => engine.commit(column, ON_DEVICE)).toThrow(
      /^backend for pack: .*cuda-generic: libnowhere\.so\.1: expected the NVIDIA driver's library.*cuda-strided: libnowhere\.so\.1/,
    );
    expect(engine.commit(column).choice("pack").chosen.name).toMatch(/x64|cpu/);
  });
});
