import { describe, expect, it } from "vitest";
import { addressSpace, hostMemory, type Buffer } from "../src/index.js";

const buffer = hostMemory(new Uint8Array(16));

describe("addressSpace", () => {
  it("sorts its regions, empty ones before those that start where they do", () => {
    const empty = hostMemory(new Uint8Array(0));
    const space = addressSpace([
      { startBytes: 32, buffer },
      { startBytes: 0, buffer },
      { startBytes: 0, buffer: empty },
    ]);
    expect(space.regions.map((region) => [region.startBytes, region.buffer.sizeBytes])).toEqual([
      [0, 0],
      [0, 16],
      [32, 16],
    ]);
  });

  it("refuses overlap, mixed kinds, and starts or ends that are no safe integers", () => {
    const device: Buffer = { kind: "device", sizeBytes: 8, address: 64 };
    const overlapping = [0, 15].map((startBytes) => ({ startBytes, buffer }));
    expect(() => addressSpace(overlapping)).toThrow(
      "regions of an address space: expected no overlap, got one at byte 15",
    );
    const mixed = [buffer, device].map((each, i) => ({ startBytes: 64 * i, buffer: each }));
    expect(() => addressSpace(mixed)).toThrow("expected host memory only, got device memory");
    expect(() => addressSpace([{ startBytes: NaN, buffer }])).toThrow("expected bounds within ±(2^53 - 1), got NaN");
    expect(() => addressSpace([{ startBytes: 2 ** 53 - 8, buffer }])).toThrow("expected bounds within ±(2^53 - 1)");
  });
});

describe("hostMemory", () => {
  it("sees the very bytes of a view, a buffer or shared memory", () => {
    const doubles = new Float64Array(4).subarray(1, 3);
    const memory = hostMemory(doubles);
    memory.bytes?.fill(0xff);
    expect([memory.sizeBytes, memory.bytes?.byteOffset, Number.isNaN(doubles[1])]).toEqual([16, 8, true]);
    expect(hostMemory(new SharedArrayBuffer(8)).sizeBytes).toBe(8);
  });

  it("refuses what is no buffer, and one that is detached", () => {
    const detached = new DataView(new ArrayBuffer(8));
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    for (const [given, got] of [
      [[0, 0], "a list of 2"],
      [16, "16"],
      [null, "null"],
      [detached, "a detached one"],
      [detached.buffer, "a detached one"],
    ]) {
      expect(() => hostMemory(given as never)).toThrow(
        `host memory: expected an array buffer or a view of one, got ${got as string}`,
      );
    }
  });
});
