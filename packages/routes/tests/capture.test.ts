import type { CapturablePlan, CaptureOptions, Plan, Queue } from "@stowage/backend-api";
import { describe, expect, test } from "vitest";
import { bindingOf, hostBuffer, PACK, packedOf, REACH_BYTES, SIZE_BYTES, stageOf } from "./stage.js";

const captured = (plan: Plan, queue: Queue, options?: CaptureOptions): Plan =>
  (plan as CapturablePlan).capture(queue, options);

const NAMES = ["one-shot", "device", "pipelined"].flatMap((route) =>
  ["cuda-generic", "cuda-strided", "dma"].map((packer) => `${route}/${packer}`),
);

describe.each(NAMES)("a captured plan of %s", (name) => {
  test.each(["event", "flag"] as const)(
    "moves what is bound, then other memory; its end is told by %s",
    (completion) => {
      const { context, kernel, fill, pool } = stageOf();
      const stream = context.stream();
      const data = [context.deviceMemory(REACH_BYTES), context.deviceMemory(REACH_BYTES)] as const;
      const packed = [context.pinnedMemory(SIZE_BYTES), context.pinnedMemory(SIZE_BYTES)] as const;
      const expected = data.map(({ address }, i) => packedOf(fill(address, i)));
      const plan = kernel(name, PACK, "pinned").bind([bindingOf(data[0], packed[0])]);
      const graph = captured(plan, stream, { completion });
      for (const i of [0, 1, 0]) {
        graph.rebind(0, bindingOf(data[i] as (typeof data)[0], packed[i] as (typeof packed)[0]));
        packed[i]?.bytes.fill(0);
        const run = graph.run(stream);
        run.wait();
        expect(run.poll()).toBe(true);
        expect(packed[i]?.bytes).toEqual(expected[i]);
      }
      graph[Symbol.dispose]();
      plan[Symbol.dispose]();
      expect(pool().use.taken).toBe(0);
    },
  );
});

test("a plan that was run before is captured, and runs on its own again", () => {
  const { context, kernel, fill } = stageOf();
  const stream = context.stream();
  const data = context.deviceMemory(REACH_BYTES);
  const packed = context.pinnedMemory(SIZE_BYTES);
  const expected = packedOf(fill(data.address, 3));
  const plan = kernel("pipelined/cuda-generic", PACK, "pinned").bind([bindingOf(data, packed)]);
  const graph = () => captured(plan, stream);
  for (const run of [() => plan.run(stream), () => graph().run(stream), () => plan.run()]) {
    packed.bytes.fill(0);
    run().wait();
    expect(packed.bytes).toEqual(expected);
  }
});

describe("what cannot be captured is refused in one line", () => {
  const { context, kernel } = stageOf();
  const stream = context.stream();
  const data = context.deviceMemory(REACH_BYTES);

  test("copies by the processor", () => {
    const plan = kernel("staged/cuda-generic", PACK, "host").bind([bindingOf(data, hostBuffer(SIZE_BYTES))]);
    expect(() => captured(plan, stream)).toThrow(/^capture of a plan of route staged: expected pinned memory, got pag/);
  });

  test("a run of staged copies in a capture of the user's", () => {
    const plan = kernel("device/cuda-generic", PACK, "pinned").bind([
      bindingOf(data, context.pinnedMemory(SIZE_BYTES)),
    ]);
    expect(() => stream.capture(() => void plan.run(stream))).toThrow(/^queue of a plan of route device: expected one/);
    plan.run(stream).wait();
  });
});
