import { conditions, packMove, unpackMove, type Binding, type Buffer } from "@stowage/backend-api";
import { copyBytes, openSimulatedCuda } from "@stowage/cuda-driver";
import { lower, predefined, runs, vector } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { CudaStridedBackend } from "../src/index.js";

const driver = openSimulatedCuda();
const context = driver.context();
const backend = new CudaStridedBackend(() => driver);
const layout = lower(vector(40, 3, 7, predefined("MPI_FLOAT")));
const { sizeBytes, trueExtentBytes } = layout;
const toHost = conditions({ sourceKind: "device", targetKind: "pinned" });

function filled(seed: number) {
  const memory = context.deviceMemory(trueExtentBytes);
  const bytes = Uint8Array.from({ length: trueExtentBytes }, (_, i) => (i * 11 + seed) & 255);
  copyBytes(context, memory.address, context.libcuda.addressOf(bytes), bytes.length).run({ handle: 0 });
  context.synchronize();
  const packed = Array.from(runs(layout, { count: 1, first: 0, length: sizeBytes })).flatMap((run) =>
    Array.from(bytes.subarray(run.offsetBytes, run.offsetBytes + run.lengthBytes)),
  );
  return { memory, packed: Uint8Array.from(packed) };
}

const bindingOf = (source: Buffer, target: Buffer, first = 0, length = sizeBytes): Binding => ({
  source: { memory: source, originBytes: 0 },
  target: { memory: target, originBytes: 0 },
  count: 1,
  first,
  length,
});

describe("a resident kernel", () => {
  test("packs at every ring what the source holds then, and comes back after it left", () => {
    const data = filled(1);
    const target = context.pinnedMemory(sizeBytes);
    using pack = backend.resident(packMove(layout), toHost, bindingOf(data.memory, target), { idleMicroseconds: 1 });
    for (let ring = 0; ring < 3; ring++) {
      target.bytes.fill(0);
      const end = pack.ring();
      end.wait();
      expect(end.poll()).toBe(true);
      expect(target.bytes).toEqual(data.packed);
    }
  });

  test("takes other memory, and other ranges", () => {
    const [one, two] = [filled(2), filled(3)];
    const targets = [context.pinnedMemory(sizeBytes), context.pinnedMemory(sizeBytes)] as const;
    using pack = backend.resident(packMove(layout), toHost, bindingOf(one.memory, targets[0]));
    pack.ring();
    pack.rebind(bindingOf(two.memory, targets[1]));
    pack.ring().wait();
    expect([targets[0].bytes, targets[1].bytes]).toEqual([one.packed, two.packed]);
    targets[1].bytes.fill(0xee);
    pack.rebind(bindingOf(one.memory, targets[1], 12, 40));
    pack.ring().wait();
    expect(targets[1].bytes.subarray(12, 52)).toEqual(one.packed.subarray(12, 52));
    expect(targets[1].bytes[11]).toBe(0xee);
    expect(targets[1].bytes[52]).toBe(0xee);
  });

  test("unpacks", () => {
    const data = filled(4);
    const packed = context.pinnedMemory(sizeBytes);
    packed.bytes.set(data.packed);
    const into = context.deviceMemory(trueExtentBytes);
    const fromHost = conditions({ sourceKind: "pinned", targetKind: "device" });
    using pack = backend.resident(unpackMove(layout), fromHost, bindingOf(packed, into));
    pack.ring().wait();
    const again = context.pinnedMemory(sizeBytes);
    using back = backend.resident(packMove(layout), toHost, bindingOf(into, again));
    back.ring().wait();
    expect(again.bytes).toEqual(data.packed);
  });

  test("is refused what it cannot do, and is used no more once it was let go", () => {
    const data = filled(5);
    const target = context.pinnedMemory(sizeBytes);
    const bind = (length: number) =>
      backend.resident(packMove(layout), toHost, bindingOf(data.memory, target, 0, length));
    expect(() => bind(0)).toThrow("memory of a resident pack: expected one buffer a side, and a byte to move");
    expect(() => bind(sizeBytes + 1)).toThrow("range of move 0");
    const pack = bind(sizeBytes);
    pack[Symbol.dispose]();
    expect(() => pack.ring()).toThrow("resident pack: expected one in use, got a disposed one");
  });
});
