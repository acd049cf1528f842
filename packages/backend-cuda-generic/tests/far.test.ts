import { conditions, packMove, unpackMove } from "@stowage/backend-api";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { canonicalise, contiguous, hindexed, hvector, lower, predefined } from "@stowage/ir";
import { testMemory } from "@stowage/cuda-plans";
import { describe, expect, test } from "vitest";
import { CudaGenericBackend, type Tuning } from "../src/index.js";

const driver = openSimulatedCuda({ memoryBytes: 2 ** 45 });
const memory = testMemory(driver.context(), "device");
const byte = predefined("MPI_BYTE");
const kinds = conditions({ sourceKind: "device", targetKind: "device" });
const tiers: readonly Tuning["tier"][] = ["generic", "specialised"];

describe.each(tiers)("past 2^32, %s", (tier) => {
  const backend = new CudaGenericBackend({ driver, tuning: { tier } });

  test("strides of 8 GiB", () => {
    const layout = canonicalise(lower(hvector(4, 100, 2 ** 33, byte)));
    const source = memory.allocate(3 * 2 ** 33 + 100);
    const target = memory.allocate(400);
    const bytes = Uint8Array.from({ length: 400 }, (_, i) => i & 255);
    for (let i = 0; i < 4; i++) memory.write(source, i * 2 ** 33, bytes.subarray(100 * i, 100 * i + 100));
    const whole = { count: 1, first: 0, length: 400 };
    const sides = { source: { memory: source, originBytes: 0 }, target: { memory: target, originBytes: 0 } };
    backend
      .load(backend.compile([packMove(layout)], kinds))
      .bind([{ ...sides, ...whole }])
      .run()
      .wait();
    expect(memory.read(target, 0, 400)).toEqual(bytes);
  });

  test("a list with displacements beyond 32 bits", () => {
    const layout = canonicalise(lower(hindexed([8, 24, 16], [2 ** 40, 0, 2 ** 35], byte)));
    const source = memory.allocate(2 ** 40 + 8);
    const target = memory.allocate(48);
    memory.write(source, 2 ** 40, new Uint8Array(8).fill(1));
    memory.write(source, 0, new Uint8Array(24).fill(2));
    memory.write(source, 2 ** 35, new Uint8Array(16).fill(3));
    const sides = { source: { memory: source, originBytes: 0 }, target: { memory: target, originBytes: 0 } };
    const kernel = backend.load(backend.compile([packMove(layout)], kinds));
    kernel
      .bind([{ ...sides, count: 1, first: 0, length: 48 }])
      .run()
      .wait();
    expect([...memory.read(target, 0, 48)]).toEqual([
      ...Array<number>(8).fill(1),
      ...Array<number>(24).fill(2),
      ...Array<number>(16).fill(3),
    ]);
  });

  test("a long list of unlike runs, the last of them beyond 32 bits", () => {
    const lengths = Array.from({ length: 40 }, (_, i) => 1 + ((i * 7) % 11));
    const places = lengths.map((_, i) => (i === 39 ? 2 ** 40 : i * 29 + ((i * i) % 13)));
    const layout = canonicalise(lower(hindexed(lengths, places, byte)));
    const source = memory.allocate(2 ** 40 + 16);
    const target = memory.allocate(layout.sizeBytes);
    const expected = lengths.flatMap((length, i) => Array.from({ length }, (_, j) => (i * 16 + j) & 255));
    lengths.forEach((length, i) =>
      memory.write(
        source,
        places[i] as number,
        Uint8Array.from({ length }, (_, j) => (i * 16 + j) & 255),
      ),
    );
    const sides = { source: { memory: source, originBytes: 0 }, target: { memory: target, originBytes: 0 } };
    const kernel = backend.load(backend.compile([packMove(layout)], kinds));
    kernel
      .bind([{ ...sides, count: 1, first: 0, length: layout.sizeBytes }])
      .run()
      .wait();
    expect([...memory.read(target, 0, layout.sizeBytes)]).toEqual(expected);
  });

  test("the end of a packed stream of 2^36 bytes", () => {
    const layout = canonicalise(lower(hvector(2 ** 20, 2 ** 16, 2 ** 17, byte)));
    const first = 2 ** 36 - 1000;
    const reach = layout.trueExtentBytes;
    const target = memory.allocate(reach);
    const source = memory.allocate(1000);
    const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * 7) & 255);
    memory.write(source, 0, bytes);
    const sides = { source: { memory: source, originBytes: -first }, target: { memory: target, originBytes: 0 } };
    const kernel = backend.load(backend.compile([unpackMove(layout)], kinds));
    kernel
      .bind([{ ...sides, count: 1, first, length: 1000 }])
      .run()
      .wait();
    expect(memory.read(target, reach - 1000, 1000)).toEqual(bytes);
    expect(memory.read(target, reach - 1100, 100)).toEqual(new Uint8Array(100));
  });

  test("the last of 2^33 elements", () => {
    const layout = canonicalise(lower(contiguous(3, byte)));
    const count = 2 ** 33;
    const source = memory.allocate(3 * count);
    const target = memory.allocate(5);
    memory.write(source, 3 * count - 5, Uint8Array.of(1, 2, 3, 4, 5));
    const first = 3 * count - 5;
    const sides = { source: { memory: source, originBytes: 0 }, target: { memory: target, originBytes: -first } };
    backend
      .load(backend.compile([packMove(layout)], kinds))
      .bind([{ ...sides, count, first, length: 5 }])
      .run()
      .wait();
    expect([...memory.read(target, 0, 5)]).toEqual([1, 2, 3, 4, 5]);
  });
});
