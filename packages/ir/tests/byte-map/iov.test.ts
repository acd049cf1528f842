import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dense, iov, layout, stream } from "../../src/index.js";
import { anyCutLayout } from "./any-layout.js";
import { byteOffsets } from "./byte-offsets.js";

describe("iov", () => {
  it("lists a range in pieces of at most `max` runs, each starting where the last one ended", () => {
    fc.assert(
      fc.property(anyCutLayout(), fc.integer({ min: 1, max: 40 }), ({ layout, count, cuts }, max) => {
        const whole = byteOffsets(layout, count);
        const offsets: number[] = [];
        let first = cuts[0] ?? 0;
        while (first < whole.length) {
          const piece = iov(layout, { count, first, length: whole.length - first }, max);
          expect(piece.offsets.length).toBe(piece.lengths.length);
          expect(piece.offsets.length).toBeLessThanOrEqual(max);
          piece.offsets.forEach((offset, i) => {
            for (let byte = 0; byte < (piece.lengths[i] as number); byte++) offsets.push(offset + byte);
          });
          expect(piece.nextByte).toBe((cuts[0] ?? 0) + offsets.length);
          first = piece.nextByte;
        }
        expect(offsets).toEqual(whole.slice(cuts[0] ?? 0));
      }),
      { numRuns: 2000 },
    );
  });

  it("joins runs that touch: no run starts where the one before it ends", () => {
    fc.assert(
      fc.property(anyCutLayout(), ({ layout, count }) => {
        const { offsets, lengths } = iov(layout, { count, first: 0, length: count * layout.sizeBytes }, Infinity);
        for (let i = 1; i < offsets.length; i++) {
          expect(offsets[i]).not.toBe((offsets[i - 1] as number) + (lengths[i - 1] as number));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("takes runs that touch beyond the last entry that fits", () => {
    const touching = layout(0, stream(100, 4, dense(4)), { lowerBoundBytes: 0, extentBytes: 1000 });
    const { offsets, lengths, nextByte } = iov(touching, { count: 2, first: 1, length: 799 }, 1);
    expect([[...offsets], [...lengths], nextByte]).toEqual([[1], [399], 400]);
  });

  it.each([0, -1, 1.5, NaN])("refuses at most %d runs", (max) => {
    const eight = layout(0, dense(8), { lowerBoundBytes: 0, extentBytes: 8 });
    expect(() => iov(eight, { count: 1, first: 0, length: 8 }, max)).toThrow(/^most runs of an iov: /);
  });
});
