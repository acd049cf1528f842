import { conditions, packMove, unpackMove } from "@stowage/backend-api";
import {
  canonicalise,
  contiguous,
  forEachRun,
  hvector,
  indexed,
  lower,
  predefined,
  struct,
  type Datatype,
} from "@stowage/ir";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { testMemory } from "@stowage/cuda-plans";
import { describe, expect, test } from "vitest";
import { CudaGenericBackend, type Tuning } from "../src/index.js";

const driver = openSimulatedCuda();
const memory = testMemory(driver.context(), "device");
const byte = predefined("MPI_BYTE");

const struct24 = struct(
  [1, 2, 1],
  [0, 8, 16],
  [predefined("MPI_DOUBLE"), predefined("MPI_INT"), predefined("MPI_CHAR")],
);
const fields = struct(
  [1, 1, 1],
  [0, 20_000, 50_008],
  [
    hvector(500, 1, 40, contiguous(16, byte)),
    hvector(700, 3, 32, predefined("MPI_INT")),
    indexed(
      Array.from({ length: 300 }, (_, i) => 1 + (i % 5)),
      Array.from({ length: 300 }, (_, i) => 7 * i),
      predefined("MPI_DOUBLE"),
    ),
  ],
);

const cases: readonly (readonly [string, Datatype, number])[] = [
  ["structs of 17 bytes every 24", struct24, 400],
  ["runs of 100 bytes at odd places", hvector(300, 1, 137, contiguous(100, byte)), 2],
  ["runs of 5 bytes", hvector(900, 1, 9, contiguous(5, byte)), 1],
  ["a struct of arrays", fields, 1],
  ["several structs of arrays", fields, 3],
];
const tunings: readonly (readonly [string, Partial<Tuning>])[] = [
  ["generic", { partBytes: 1024 }],
  ["specialised", { partBytes: 1024, tier: "specialised" }],
];

// Two ranges of a case in `npm test`, others with each tuning; all four in `npm run test:long`.
const isLong = process.env["STOWAGE_TESTS"] === "long";
const numbered = cases.map(([name, datatype, count], turn) => [name, datatype, count, turn] as const);

describe.each(tunings)("%s", (_, tuning) => {
  const isTaken = (range: number, turn: number): boolean =>
    isLong || (range + turn) % 2 === (tuning.tier === undefined ? 0 : 1);
  test.each(numbered)("%s: packed and unpacked, whole and from odd bytes", (_name, datatype, count, turn) => {
    const layout = canonicalise(lower(datatype));
    const total = layout.sizeBytes * count;
    const reach = layout.extentBytes * (count - 1) + layout.trueLowerBoundBytes + layout.trueExtentBytes;
    const image = Uint8Array.from({ length: reach }, (_value, i) => (i * 131 + (i >> 8) * 17 + 7) & 255);
    const ranges = [
      [0, total, 0],
      [1, total - 1, 3],
      [0, total, 5],
      [total >> 1, total >> 2, 8],
    ] as const;
    for (const [first, length, shift] of ranges.filter((_range, i) => isTaken(i, turn))) {
      const expected = new Uint8Array(total);
      const unpacked = new Uint8Array(reach).fill(0xcc);
      let at = first;
      forEachRun(layout, { count, first, length }, (offset, bytes) => {
        expected.set(image.subarray(offset, offset + bytes), at);
        unpacked.set(image.subarray(offset, offset + bytes), offset);
        at += bytes;
      });
      const backend = new CudaGenericBackend({ driver, tuning });
      const scattered = memory.allocate(reach);
      const packed = memory.allocate(total + shift);
      memory.write(scattered, 0, image);
      memory.write(packed, 0, new Uint8Array(total + shift));
      const range = { count, first, length };
      const there = { memory: scattered, originBytes: 0 };
      const dense = { memory: packed, originBytes: shift };
      const kinds = conditions({ sourceKind: "device", targetKind: "device" });
      backend
        .load(backend.compile([packMove(layout)], kinds))
        .bind([{ source: there, target: dense, ...range }])
        .run()
        .wait();
      expect(memory.read(packed, shift, total)).toEqual(expected);
      memory.write(scattered, 0, new Uint8Array(reach).fill(0xcc));
      backend
        .load(backend.compile([unpackMove(layout)], kinds))
        .bind([{ source: dense, target: there, ...range }])
        .run()
        .wait();
      expect(memory.read(scattered, 0, reach)).toEqual(unpacked);
    }
  });
});
