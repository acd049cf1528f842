import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  boxBytes,
  boxesIn,
  boxOf,
  hvector,
  indexedBlock,
  lower,
  predefined,
  repeatedBox,
  subarray,
  vector,
  type Box,
} from "../../src/index.js";

const BYTE = predefined("MPI_BYTE");
const DOUBLE = predefined("MPI_DOUBLE");

/** Offsets of a box's bytes in the order in which they are packed. */
function offsetsOf({ startBytes, rowBytes, dimensions }: Box): readonly number[] {
  const steps = [{ count: rowBytes, strideBytes: 1 }, ...dimensions];
  return steps.reduceRight<readonly number[]>(
    (starts, { count, strideBytes }) =>
      starts.flatMap((start) => Array.from({ length: count }, (_, i) => start + i * strideBytes)),
    [startBytes],
  );
}

const BOX = fc.record<Box>({
  startBytes: fc.integer({ min: -20, max: 20 }),
  rowBytes: fc.integer({ min: 1, max: 5 }),
  dimensions: fc.array(
    fc.record({ count: fc.integer({ min: 1, max: 4 }), strideBytes: fc.integer({ min: -40, max: 40 }) }),
    { maxLength: 3 },
  ),
});

describe("boxOf", () => {
  it("writes equal objects in one form", () => {
    const box = { startBytes: 0, rowBytes: 16, dimensions: [{ count: 64, strideBytes: 64 }] };
    expect(boxOf(lower(vector(64, 2, 8, DOUBLE)))).toEqual(box);
    expect(boxOf(lower(hvector(8, 1, 512, hvector(8, 16, 64, BYTE))))).toEqual(box);
    expect(
      boxOf(lower(subarray({ sizes: [1, 64, 8], subsizes: [1, 64, 2], starts: [0, 0, 0], order: "C", child: DOUBLE }))),
    ).toEqual(box);
  });
  it("is undefined for blocks that no strides describe", () =>
    expect(boxOf(lower(indexedBlock(1, [0, 3, 4], BYTE)))).toBeUndefined());
  it("has rows of no bytes for a layout of none", () =>
    expect(boxOf(lower(vector(0, 1, 1, BYTE)))).toMatchObject({ rowBytes: 0 }));
});

describe("repeatedBox", () => {
  const rows: Box = { startBytes: 4, rowBytes: 8, dimensions: [{ count: 2, strideBytes: 16 }] };
  it("continues the outermost dimension where the copies do", () =>
    expect(repeatedBox(rows, 3, 32).dimensions).toEqual([{ count: 6, strideBytes: 16 }]));
  it("adds one where they do not", () => expect(repeatedBox(rows, 3, 40).dimensions).toHaveLength(2));
  it("packs the copies one after another", () => {
    fc.assert(
      fc.property(BOX, fc.integer({ min: 1, max: 3 }), fc.integer({ min: -50, max: 50 }), (box, count, extentBytes) => {
        const copies = Array.from({ length: count }, (_, i) =>
          offsetsOf({ ...box, startBytes: box.startBytes + i * extentBytes }),
        );
        expect(offsetsOf(repeatedBox(box, count, extentBytes))).toEqual(copies.flat());
      }),
    );
  });
});

describe("boxesIn", () => {
  const range = BOX.chain((box) =>
    fc
      .tuple(fc.nat(boxBytes(box)), fc.nat(boxBytes(box)))
      .map(([a, b]) => ({ box, first: Math.min(a, b), length: Math.abs(a - b) })),
  );
  it("covers the range in order, in at most two boxes a level and one", () => {
    fc.assert(
      fc.property(range, ({ box, first, length }) => {
        const parts = [...boxesIn(box, first, length)];
        expect(parts.flatMap((part) => offsetsOf(part.box))).toEqual(offsetsOf(box).slice(first, first + length));
        expect(parts.length).toBeLessThanOrEqual(2 * box.dimensions.length + 1);
        let packedBytes = first;
        for (const part of parts) {
          expect(part.packedBytes).toBe(packedBytes);
          packedBytes += boxBytes(part.box);
        }
      }),
    );
  });
});
