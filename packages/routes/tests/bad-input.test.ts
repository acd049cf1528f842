import { BindingError, DeviceError } from "@stowage/backend-api";
import { describe, expect, test } from "vitest";
import { bindingOf, bulkStage, hostBuffer, PACK, packedOf, REACH_BYTES, SIZE_BYTES, stageOf, UNPACK } from "./stage.js";

const OUT_OF_MEMORY = 2;
const LAUNCH_FAILED = 719;

describe("a pool", () => {
  test("allocates at the first run, and never again; all it took comes back", () => {
    const { context, kernel, fill, pool } = stageOf({}, { streams: 1 });
    const stream = context.stream();
    const data = context.deviceMemory(REACH_BYTES);
    const target = hostBuffer(SIZE_BYTES);
    const expected = packedOf(fill(data.address, 1));
    const plan = kernel("pipelined/cuda-strided", PACK, "host").bind([bindingOf(data, target)]);
    plan.run(stream).wait();
    const first = pool().use;
    for (let run = 0; run < 5; run++) plan.run(stream).wait();
    expect(pool().use).toEqual(first);
    expect(first.taken).toBe(0);
    expect(target.bytes).toEqual(expected);
  });

  test("stays within its limits, and gives back what nobody uses", () => {
    const { context, kernel, pool } = stageOf({}, { buffers: 2, streams: 1 });
    const data = context.deviceMemory(REACH_BYTES);
    for (const name of ["pipelined/cuda-strided", "staged/cuda-generic"])
      kernel(name, PACK, "host")
        .bind([bindingOf(data, hostBuffer(SIZE_BYTES))])
        .run()
        .wait();
    expect(pool().use.buffers).toBeLessThanOrEqual(4);
    expect(pool().use.streams).toBe(1);
    pool().shrink();
    expect(pool().use).toMatchObject({ buffers: 0, deviceBytes: 0, pinnedBytes: 0 });
  });

  test("whose memory is short throws one line, and serves the next run", () => {
    let isShort = false;
    const { context, kernel, fill, pool } = stageOf({
      fault: (call) => (isShort && call === "cuMemHostAlloc" ? OUT_OF_MEMORY : undefined),
    });
    const data = context.deviceMemory(REACH_BYTES);
    const target = hostBuffer(SIZE_BYTES);
    const expected = packedOf(fill(data.address, 2));
    const plan = kernel("staged/cuda-strided", PACK, "host").bind([bindingOf(data, target)]);
    isShort = true;
    expect(() => plan.run()).toThrow(DeviceError);
    expect(() => plan.run()).toThrow(/^cuMemHostAlloc: CUDA_ERROR_OUT_OF_MEMORY .*free some or ask for less$/);
    expect(pool().use.taken).toBe(0);
    expect(target.bytes.every((byte) => byte === 0)).toBe(true);
    isShort = false;
    plan.run().wait();
    expect(target.bytes).toEqual(expected);
  });
});

test("a pool whose device memory is short makes do with fewer buffers, then with smaller chunks", () => {
  let freeBuffers = Infinity;
  const { context, kernel, fill, pool } = stageOf({
    fault: (call) => (call === "cuMemAlloc_v2" && freeBuffers-- <= 0 ? OUT_OF_MEMORY : undefined),
  });
  const data = context.deviceMemory(REACH_BYTES);
  const target = context.pinnedMemory(SIZE_BYTES);
  const expected = packedOf(fill(data.address, 3));
  const plan = kernel("pipelined/cuda-strided", PACK, "pinned").bind([bindingOf(data, target)]);
  freeBuffers = 1;
  plan.run().wait();
  expect(target.bytes).toEqual(expected);
  expect(pool().use).toMatchObject({ buffers: 1, taken: 0 });
});

test("what a run uses is held until it is over, whoever lets go of it", () => {
  const { context, kernel, fill, pool } = stageOf();
  const data = context.deviceMemory(REACH_BYTES);
  const target = context.pinnedMemory(SIZE_BYTES);
  const expected = packedOf(fill(data.address, 5));
  const held = kernel("pipelined/cuda-generic", PACK, "pinned");
  const plan = held.bind([bindingOf(data, target)]);
  const stream = context.stream();
  plan.run(stream);
  plan[Symbol.dispose]();
  held[Symbol.dispose]();
  pool().shrink();
  data[Symbol.dispose]();
  stream.synchronize();
  expect(target.bytes).toEqual(expected);
});

test("a device that is lost in the middle of a pipeline says so at every call, and nobody takes its buffers", () => {
  let isLost = false;
  const { context, kernel, pool } = stageOf({ fault: () => (isLost ? LAUNCH_FAILED : undefined) });
  const plan = kernel("pipelined/cuda-strided", PACK, "pinned").bind([
    bindingOf(context.deviceMemory(REACH_BYTES), context.pinnedMemory(SIZE_BYTES)),
  ]);
  const stream = context.stream();
  const run = plan.run(stream);
  isLost = true;
  expect(() => run.wait()).toThrow(DeviceError);
  for (let call = 0; call < 2; call++) {
    expect(() => plan.run(stream)).toThrow(DeviceError);
    expect(() => plan.run(stream)).toThrow(/CUDA_ERROR_LAUNCH_FAILED/);
  }
  expect(pool().use.taken).toBe(0);
  isLost = false;
});

describe("what is wrong is told in one line, and the pool is usable afterwards", () => {
  test("a stream of another device", () => {
    const { driver, context, kernel } = stageOf({ devices: 2 });
    const foreign = driver.context(1).stream();
    const data = context.deviceMemory(REACH_BYTES);
    const plan = kernel("device/cuda-strided", PACK, "pinned").bind([
      bindingOf(data, context.pinnedMemory(SIZE_BYTES)),
    ]);
    expect(() => plan.run(foreign)).toThrow(BindingError);
    expect(() => plan.run(foreign)).toThrow("queue: expected a stream of device 0, got one of device 1");
    plan.run(context.stream()).wait();
  });

  test("a stream of another device, by every route and the bulk way", () => {
    const { driver, context, kernel, bulk } = bulkStage({ devices: 2 });
    const foreign = driver.context(1).stream();
    const data = context.deviceMemory(REACH_BYTES);
    const pinned = context.pinnedMemory(SIZE_BYTES);
    for (const plan of [
      ...["one-shot/cuda-strided", "one-shot/dma", "pipelined/cuda-generic"].map((name) =>
        kernel(name, PACK, "pinned").bind([bindingOf(data, pinned)]),
      ),
      kernel("staged/cuda-generic", PACK, "host").bind([bindingOf(data, hostBuffer(SIZE_BYTES))]),
      bulk().bind([bindingOf(data, hostBuffer(SIZE_BYTES))]),
    ]) {
      expect(() => plan.run(foreign)).toThrow("queue: expected a stream of device 0, got one of device 1");
      plan.run(context.stream()).wait();
    }
  });

  test("pageable memory that was detached since", () => {
    const { context, kernel } = stageOf();
    const data = context.deviceMemory(REACH_BYTES);
    const target = hostBuffer(SIZE_BYTES);
    const plan = kernel("staged/cuda-generic", PACK, "host").bind([bindingOf(data, target)]);
    structuredClone(target.bytes.buffer, { transfer: [target.bytes.buffer as ArrayBuffer] });
    expect(() => plan.run()).toThrow(/^target of move 0: expected a view of 1024 bytes, got 0: detached/);
  });

  test.each(["pack", "unpack"] as const)("a call that fails in the middle of a pipeline, %s", (direction) => {
    let copies = Infinity;
    const { context, kernel, pool } = stageOf({
      fault: (call) => (call === "cuMemcpyAsync" && copies-- <= 0 ? LAUNCH_FAILED : undefined),
    });
    const [data, packed] = [context.deviceMemory(REACH_BYTES), context.pinnedMemory(SIZE_BYTES)];
    const move = direction === "pack" ? PACK : UNPACK;
    const binding = direction === "pack" ? bindingOf(data, packed) : bindingOf(packed, data);
    const plan = kernel("pipelined/cuda-strided", move, "pinned").bind([binding]);
    copies = 2;
    expect(() => plan.run()).toThrow(DeviceError);
    copies = 2;
    expect(() => plan.run()).toThrow(/^cuMemcpyAsync: CUDA_ERROR_LAUNCH_FAILED/);
    copies = Infinity;
    expect(pool().use.taken).toBe(0);
    plan.run().wait();
  });

  test("a plan, a kernel that were let go", () => {
    const { context, kernel } = stageOf();
    const binding = bindingOf(context.deviceMemory(REACH_BYTES), context.pinnedMemory(SIZE_BYTES));
    const held = kernel("device/dma", PACK, "pinned");
    const plan = held.bind([binding]);
    plan[Symbol.dispose]();
    held[Symbol.dispose]();
    expect(() => plan.run()).toThrow("plan: expected one in use, got a disposed one");
    expect(() => held.bind([binding])).toThrow("kernel: expected one in use, got a disposed one");
  });
});

test("explain says that pageable memory is staged", () => {
  const { kernel } = stageOf();
  expect(kernel("pipelined/cuda-strided", PACK, "host").explain()).toContain(
    "the host's memory is pageable: staged through pinned buffers of the pool",
  );
});
