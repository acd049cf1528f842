import { describe, expect, it } from "vitest";
import {
  boxOf,
  contiguous,
  type Datatype,
  hvector,
  lower,
  predefined,
  repeatedBox,
  subarray,
  vector,
} from "@stowage/ir";
import type { Direction } from "@stowage/backend-api";
import { shapeName, shapeOf } from "../src/shape.js";
import type { Transfer } from "../src/transfer.js";

const H200 = { multiprocessors: 132, threadsPerMultiprocessor: 2048, l2Bytes: 62_914_560 };
const double = predefined("MPI_DOUBLE");
const byte = predefined("MPI_BYTE");

function transfer(type: Datatype, changes: Partial<Transfer> = {}): Transfer {
  const layout = lower(type);
  const box = boxOf(layout);
  if (box === undefined) throw new Error("expected a strided layout");
  return { box, scatteredAddress: 4096, packedAddress: 8192, first: 0, length: layout.sizeBytes, ...changes };
}
const wordOf = (of: Transfer): number => shapeOf(of, "pack", H200).wordBytes;

describe("the word divides block, strides, start, both pointers and the range", () => {
  const rows = hvector(8, 16, 64, byte);
  it("takes 16 bytes where all allow", () => expect(wordOf(transfer(rows))).toBe(16));
  it("looks at the block", () => expect(wordOf(transfer(hvector(8, 12, 64, byte)))).toBe(4));
  it("looks at the stride", () => expect(wordOf(transfer(hvector(8, 16, 66, byte)))).toBe(2));
  it("looks at the scattered pointer", () => expect(wordOf(transfer(rows, { scatteredAddress: 4104 }))).toBe(8));
  it("looks at the packed pointer", () => expect(wordOf(transfer(rows, { packedAddress: 8193 }))).toBe(1));
  it("looks at the range's start", () => expect(wordOf(transfer(rows, { first: 4, length: 64 }))).toBe(4));
  it("looks at the range's length", () => expect(wordOf(transfer(rows, { length: 34 }))).toBe(2));
  it("looks at the start", () => {
    const type = subarray({ sizes: [4, 64], subsizes: [4, 16], starts: [0, 2], order: "C", child: byte });
    expect(wordOf(transfer(type))).toBe(2);
  });
});

describe("equivalent constructions are one box (TEMPI, section 2)", () => {
  const same = [
    vector(64, 16, 64, double),
    hvector(64, 128, 512, byte),
    hvector(64, 1, 512, contiguous(16, double)),
    hvector(8, 1, 8 * 512, hvector(8, 1, 512, contiguous(16, double))),
    subarray({ sizes: [64, 64], subsizes: [64, 16], starts: [0, 0], order: "C", child: double }),
  ];
  for (const [i, type] of same.entries()) {
    it(`form ${i}`, () => {
      expect(boxOf(lower(type))).toEqual({
        startBytes: 0,
        rowBytes: 128,
        dimensions: [{ count: 64, strideBytes: 512 }],
      });
    });
  }

  it("count is one dimension more, and joins what it continues", () => {
    const box = boxOf(
      lower(subarray({ sizes: [64, 64], subsizes: [64, 16], starts: [0, 0], order: "C", child: double })),
    );
    if (box === undefined) throw new Error("expected a strided layout");
    expect(repeatedBox(box, 2, 64 * 512).dimensions).toEqual([{ count: 128, strideBytes: 512 }]);
    expect(repeatedBox(box, 2, 40_000).dimensions).toHaveLength(2);
  });
});

describe("a kernel's instructions follow from the shape alone", () => {
  it("sizes past 2^31 words count in 64 bits", () => {
    const type = hvector(2 ** 33, 1, 16, byte);
    expect(shapeOf(transfer(type), "pack", H200).wide).toBe(true);
  });
  it("strides past 2^31 bytes count in 64 bits", () => {
    expect(shapeOf(transfer(hvector(2, 8, 2 ** 32, byte)), "pack", H200).wide).toBe(true);
  });
  it("equal shapes have equal names, unequal ones unequal", () => {
    const [a, b] = [
      shapeOf(transfer(hvector(8, 8, 64, byte)), "pack", H200),
      shapeOf(transfer(hvector(9, 8, 128, byte)), "pack", H200),
    ];
    expect(shapeName(a)).toBe(shapeName(b));
    expect(shapeName(a)).not.toBe(shapeName({ ...a, direction: "unpack" }));
  });
});

describe("short rows that memory limits are four words each", () => {
  const streamed = (rowBytes: number, pitchBytes: number, direction: Direction): number =>
    shapeOf(transfer(hvector(2 ** 24, rowBytes, pitchBytes, byte)), direction, H200).wordBytes;
  it("packs of 4 to 32 B from a pitch of 256 B on", () => {
    expect([4, 8, 16, 32].map((rowBytes) => streamed(rowBytes, 512, "pack"))).toEqual([1, 2, 4, 8]);
    expect(streamed(8, 64, "pack")).toBe(8);
  });
  it("unpacks from a pitch of 64 B on", () => {
    expect([64, 512].map((pitchBytes) => streamed(8, pitchBytes, "unpack"))).toEqual([2, 2]);
    expect(streamed(8, 32, "unpack")).toBe(8);
  });
  it("longer rows, rows of several words, and what L2 holds keep the widest word", () => {
    expect(streamed(64, 512, "pack")).toBe(16);
    expect(streamed(24, 512, "pack")).toBe(8);
    expect(wordOf(transfer(hvector(1000, 8, 512, byte)))).toBe(8);
  });
});
