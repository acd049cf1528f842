import { BindingError, DeviceError, type Queue } from "@stowage/backend-api";
import { copyBytes, openSimulatedCuda, type Context } from "@stowage/cuda-driver";
import { ArgumentError, contiguous, indexed, lower, predefined, runs, vector, type Datatype } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { createEngine } from "../src/index.js";

const DOUBLE = predefined("MPI_DOUBLE");
const strided = vector(9, 1, 3, DOUBLE);
const ragged = indexed([1, 3, 2], [0, 5, 13], DOUBLE);

const simulated = (devices = 1) => {
  const driver = openSimulatedCuda({ devices });
  return { driver, context: driver.context(), engine: createEngine({ cuda: () => driver }) };
};

/** Device memory with a pattern, and what a datatype packs of it. */
function filled(context: Context, type: Datatype, seed: number) {
  const layout = lower(type);
  const bytes = Uint8Array.from({ length: layout.trueExtentBytes }, (_, i) => (i * 7 + seed) & 255);
  const memory = context.deviceMemory(bytes.length);
  copyBytes(context, memory.address, context.libcuda.addressOf(bytes), bytes.length).run({ handle: 0 });
  context.synchronize();
  const whole = { count: 1, first: 0, length: layout.sizeBytes };
  const packed = [...runs(layout, whole)].flatMap(({ offsetBytes, lengthBytes }) => [
    ...bytes.subarray(offsetBytes, offsetBytes + lengthBytes),
  ]);
  return { memory, packed };
}

const whole = (type: Datatype) => ({ count: 1, first: 0, length: lower(type).sizeBytes });

describe("a captured plan of an engine", () => {
  const names = [
    "cuda-generic",
    "cuda-strided",
    "one-shot/cuda-strided",
    "device/cuda-generic",
    "pipelined/cuda-strided",
  ];

  test.each(names.flatMap((name) => (["event", "flag"] as const).map((completion) => [name, completion] as const)))(
    "%s: moves what is bound, then other memory; its end is told by %s",
    (backend, completion) => {
      const { context, engine } = simulated();
      const stream = context.stream();
      const data = [filled(context, strided, 1), filled(context, strided, 2)] as const;
      const target = context.pinnedMemory(72);
      const committed = engine.commit(strided, { memory: "device", packedMemory: "pinned", backend });
      const plan = committed.plan("pack", data[0].memory, target);
      const captured = plan.capture(stream, { completion });
      for (const { memory, packed } of [data[0], data[1], data[0]]) {
        const [source, into] = [memory, target].map((each) => ({ memory: each, originBytes: 0 })) as [never, never];
        captured.rebind(0, { source, target: into, ...whole(strided) });
        target.bytes.fill(0);
        captured.run(stream).wait();
        expect([...target.bytes]).toEqual(packed);
      }
      engine[Symbol.dispose]();
    },
  );

  test("is of the last backend that there will be, and its plan runs on its own again", () => {
    const { context, engine } = simulated();
    const stream = context.stream();
    const { memory, packed } = filled(context, ragged, 5);
    const target = context.pinnedMemory(48);
    const plan = engine.commit(ragged, { memory: "device", packedMemory: "pinned" }).plan("pack", memory, target);
    const captured = plan.capture(stream);
    for (const run of [() => captured.run(stream), () => plan.run(stream), () => captured.run(), () => plan.run()]) {
      target.bytes.fill(0);
      run().wait();
      expect([...target.bytes]).toEqual(packed);
    }
    captured[Symbol.dispose]();
    plan[Symbol.dispose]();
    engine[Symbol.dispose]();
  });

  test("ends with its plan", () => {
    const { context, engine } = simulated();
    const stream = context.stream();
    const plan = engine
      .commit(strided, { memory: "device", packedMemory: "pinned" })
      .plan("pack", filled(context, strided, 1).memory, context.pinnedMemory(72));
    const captured = plan.capture(stream);
    plan[Symbol.dispose]();
    expect(() => captured.run(stream)).toThrow("captured plan: expected one in use, got a disposed one");
    expect(() => plan.capture(stream)).toThrow("plan: expected one in use, got a disposed one");
  });
});

describe("what cannot be captured is refused in one line", () => {
  const { driver, context, engine } = simulated(2);
  const stream = context.stream();

  test("work of the host", () => {
    const [from, to] = [new Uint8Array(200), new Uint8Array(72)];
    const plan = engine.commit(strided, { backend: "cpu" }).plan("pack", from, to);
    expect(() => plan.capture(stream)).toThrow(DeviceError);
    expect(() => plan.capture(stream)).toThrow(
      "capture of a plan of backend cpu: expected work of a device alone, got work of the host",
    );
    expect(plan.run().poll()).toBe(true);
  });

  test("batches of copies", () => {
    const plan = engine
      .commit(indexed([1, 3, 2, 1, 1], [0, 5, 13, 20, 23], DOUBLE), {
        memory: "device",
        packedMemory: "pinned",
        backend: "dma",
      })
      .plan("pack", context.deviceMemory(192), context.pinnedMemory(64));
    expect(() => plan.capture(stream)).toThrow(
      /^queue of a DMA plan: expected one that is not capturing, got one that is/,
    );
    plan.run(stream).wait();
  });

  test("copies by the processor", () => {
    const plan = engine
      .commit(strided, { memory: "device", packedMemory: "host", backend: "staged/cuda-generic" })
      .plan("pack", context.deviceMemory(200), new Uint8Array(72));
    expect(() => plan.capture(stream)).toThrow(
      /^capture of a plan of route staged: expected pinned memory, got pageable/,
    );
    plan.run(stream).wait();
  });

  test("on a stream of another device, or on none", () => {
    const plan = engine
      .commit(contiguous(9, DOUBLE), { memory: "device", packedMemory: "device", backend: "cuda-generic" })
      .plan("pack", context.deviceMemory(72), context.deviceMemory(72));
    const foreign = driver.context(1).stream();
    expect(() => plan.capture(foreign)).toThrow(BindingError);
    expect(() => plan.capture(foreign)).toThrow(
      "queue to capture on: expected a stream of device 0, got one of device 1",
    );
    for (const [queue, options] of [
      [undefined, {}],
      [7, {}],
      [stream, { completion: "never" }],
      [stream, { end: "event" }],
    ] as const)
      expect(() => plan.capture(queue as unknown as Queue, options as never)).toThrow(ArgumentError);
    plan.run(stream).wait();
  });
});
