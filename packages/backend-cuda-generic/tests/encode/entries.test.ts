import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addList } from "../../src/encode/entries.js";
import { Lookaside } from "../../src/encode/lookaside.js";

const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 100_000 })), {
  minLength: 1,
  maxLength: 60,
});

describe("the coarse table", () => {
  test.each([true, false])("brackets the block of every position (coarse: %s)", (coarse) => {
    fc.assert(
      fc.property(lengths, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (blocks, where) => {
        const prefixes = blocks.map((_, i) => blocks.slice(0, i).reduce((sum, length) => sum + length, 0));
        const sizeBytes = blocks.reduce((sum, length) => sum + length, 0);
        const lookaside = new Lookaside();
        const list = {
          count: blocks.length,
          sizeBytes,
          prefixBytes: (i: number) => prefixes[i] ?? 0,
          displacementBytes: (i: number) => i,
        };
        const { buckets, bucketShift } = addList(lookaside, list, false, coarse);
        const position = Math.floor(where * sizeBytes);
        const block = prefixes.filter((prefix) => prefix <= position).length - 1;
        const view = new DataView(lookaside.bytes().buffer);
        const bucket = Math.floor(position / 2 ** bucketShift);
        expect(view.getUint32(buckets + 4 * bucket, true)).toBeLessThanOrEqual(block);
        expect(view.getUint32(buckets + 4 * bucket + 4, true)).toBeGreaterThanOrEqual(block);
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
