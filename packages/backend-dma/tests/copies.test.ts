import { describe, expect, it } from "vitest";
import { conditions, copyMove, DeviceError, packMove, unpackMove, type Binding, type Move } from "@stowage/backend-api";
import { openSimulatedCuda, type SimulatedOptions } from "@stowage/cuda-driver";
import { hindexedBlock, hvector, lower, predefined, subarray, vector, type Datatype } from "@stowage/ir";
import { DmaBackend, MOST_COPIES } from "../src/index.js";

const byte = predefined("MPI_BYTE");
const KINDS = conditions({ sourceKind: "device", targetKind: "device" });

/** A driver that notes the names of the copies sent to it. */
function setUp(options: SimulatedOptions = {}) {
  const calls: string[] = [];
  const driver = openSimulatedCuda({
    ...options,
    fault: (call) => {
      if (call.startsWith("cuMemcpy") || call === "cuLaunchKernelEx") calls.push(call);
      return undefined;
    },
  });
  const context = driver.context();
  return { calls, context, stream: context.stream(), backend: new DmaBackend(() => driver) };
}

function callsOf(
  type: Datatype,
  range: { readonly first: number; readonly length: number } | undefined,
  options?: SimulatedOptions,
): string[] {
  const { calls, context, stream, backend } = setUp(options);
  const layout = lower(type);
  const [source, target] = [context.deviceMemory(2 ** 20), context.deviceMemory(2 ** 20)];
  const binding: Binding = {
    source: { memory: source, originBytes: 0 },
    target: { memory: target, originBytes: 0 },
    count: 1,
    ...(range ?? { first: 0, length: layout.sizeBytes }),
  };
  backend
    .load(backend.compile([packMove(layout)], KINDS))
    .bind([binding])
    .run(stream)
    .wait();
  return calls;
}

const box = (subsizes: readonly number[]) =>
  subarray({ sizes: [16, 16, 16], subsizes, starts: [0, 0, 0], order: "C", child: byte });
const list = hindexedBlock(4, [0, 100, 7, 900, 411], byte);

describe("each layout takes the fewest copies, and no kernel", () => {
  it("bytes side by side: one copy", () =>
    expect(callsOf(hvector(1, 500, 0, byte), undefined)).toEqual(["cuMemcpyAsync"]));
  it("rows: one 2D copy", () => expect(callsOf(hvector(9, 8, 64, byte), undefined)).toEqual(["cuMemcpy2DAsync_v2"]));
  it("planes of rows: one 3D copy", () => expect(callsOf(box([4, 4, 4]), undefined)).toEqual(["cuMemcpy3DAsync_v2"]));
  it("planes that begin among another plane's rows: a 2D copy each, as the driver refuses them in one", () => {
    expect(callsOf(hvector(3, 1, 128, hvector(4, 8, 64, byte)), undefined)).toEqual(
      Array(3).fill("cuMemcpy2DAsync_v2"),
    );
  });
  it("a fourth dimension repeats the 3D copy", () => {
    expect(callsOf(hvector(3, 1, 10_000, box([4, 4, 4])), undefined)).toEqual(Array(3).fill("cuMemcpy3DAsync_v2"));
  });
  it("a list: one batch", () => expect(callsOf(list, undefined)).toEqual(["cuMemcpyBatchAsync"]));
  it("a list before CUDA 12.8: a copy a run", () => {
    expect(callsOf(list, undefined, { version: 12_040 })).toEqual(Array(5).fill("cuMemcpyAsync"));
  });
  it("a part of rows: the rest of the first, whole rows, the start of the last", () => {
    expect(callsOf(hvector(9, 8, 64, byte), { first: 3, length: 40 })).toEqual([
      "cuMemcpyAsync",
      "cuMemcpy2DAsync_v2",
      "cuMemcpyAsync",
    ]);
  });
  it("rows that overlap or run backwards: a batch of rows", () => {
    expect(callsOf(hvector(4, 1, 40_000, hvector(5, 8, 4, byte)), undefined)).toEqual(["cuMemcpyBatchAsync"]);
  });
});

describe("what cannot be is refused before anything moves", () => {
  it("more copies than are worth it, with their number", () => {
    const { backend } = setUp();
    const many = lower(
      hindexedBlock(
        1,
        Array.from({ length: MOST_COPIES + 1 }, (_, i) => i * i * 2),
        byte,
      ),
    );
    expect(backend.supports([packMove(many)], KINDS)).toEqual({
      ok: false,
      reason: `move 0 takes ${MOST_COPIES + 1} copies an element, more than ${MOST_COPIES}`,
    });
  });

  it("pageable memory, and machines without a driver", () => {
    const move = packMove(lower(vector(2, 1, 2, byte)));
    expect(setUp().backend.supports([move], conditions())).toMatchObject({ ok: false });
    const none = new DmaBackend(() => openSimulatedCuda({ devices: 0 }));
    expect(none.supports([move], KINDS)).toMatchObject({ ok: false });
  });

  it("a batch in a capture", () => {
    const { calls, context, stream, backend } = setUp();
    const layout = lower(list);
    const memory = context.deviceMemory(4096);
    const move: Move = unpackMove(layout);
    const side = { memory, originBytes: 0 };
    const target = { memory: context.deviceMemory(4096), originBytes: 0 };
    const plan = backend
      .load(backend.compile([move], KINDS))
      .bind([{ source: side, target, count: 1, first: 0, length: 20 }]);
    expect(() => stream.capture(() => void plan.run(stream))).toThrow(DeviceError);
    expect(calls).toEqual([]);
    plan.run(stream).wait();
    expect(calls).toEqual(["cuMemcpyBatchAsync"]);
  });

  it("rows at a pitch past the device's maximum go one by one, never as a 2D copy", () => {
    const { backend } = setUp();
    const far = lower(hvector(3, 8, 2 ** 31, byte));
    expect(backend.load(backend.compile([packMove(far)], KINDS)).explain()).toContain("3 of cuMemcpyAsync");
  });
});

it("copies between two layouts pair their runs", () => {
  const { context, stream, backend } = setUp();
  const [from, to] = [lower(hvector(4, 6, 10, byte)), lower(hvector(6, 4, 9, byte))];
  const input = context.pinnedMemory(64);
  input.bytes.set(Array.from({ length: 64 }, (_, i) => i));
  const output = context.pinnedMemory(64);
  const pinned = conditions({ sourceKind: "pinned", targetKind: "pinned" });
  const binding = {
    source: { memory: input, originBytes: 0 },
    target: { memory: output, originBytes: 0 },
    count: 1,
    first: 0,
    length: 24,
  };
  backend
    .load(backend.compile([copyMove(from, to)], pinned))
    .bind([binding])
    .run(stream)
    .wait();
  const packed = Array.from({ length: 24 }, (_, i) => Math.floor(i / 6) * 10 + (i % 6));
  const unpacked = Array.from({ length: 24 }, (_, i) => output.bytes[Math.floor(i / 4) * 9 + (i % 4)]);
  expect(unpacked).toEqual(packed);
});
