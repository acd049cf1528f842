import fc from "fast-check";
import { expect, test } from "vitest";
import {
  blocks,
  canonicalise,
  dense,
  hindexed,
  integerTable,
  layout,
  layoutStatistics,
  lower,
  predefined,
  resized,
  sameLayout,
  stream,
  contiguous,
  verifyLayout,
  type Layout,
} from "../../src/index.js";

const tableOf = (of: readonly number[]) => integerTable(of.length, (i) => of[i] as number);

/**
 * A loop of runs with gaps between, whose last run ends where the next iteration begins, inside another loop or not.
 */
const touchingLoop = fc
  .record({
    count: fc.oneof(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 250, max: 270 })),
    outer: fc.integer({ min: 1, max: 3 }),
    runs: fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })), {
      minLength: 2,
      maxLength: 10,
    }),
  })
  .map(({ count, outer, runs }) => {
    const lengths = runs.map(([length]) => length);
    const starts: number[] = [];
    let end = 0;
    for (const [length, gap] of runs) {
      starts.push(end);
      end += length + gap;
    }
    const strideBytes = end - (runs.at(-1)?.[1] as number);
    const loop = stream(count, strideBytes, blocks(tableOf(starts), tableOf(lengths), 1, dense(1)));
    const whole: Layout = layout(0, stream(outer, count * strideBytes + 100, loop), {
      lowerBoundBytes: 0,
      extentBytes: 1,
    });
    const isPair = runs.length === 2 && lengths[0] === lengths[1];
    return { count, outer, parts: runs.length, isPair, whole };
  });

test("a loop whose ends touch has a block less an iteration, every byte in its place, and is settled", () => {
  fc.assert(
    fc.property(touchingLoop, ({ count, outer, parts, isPair, whole }) => {
      const canonical = canonicalise(whole);
      verifyLayout(whole, canonical);
      expect(sameLayout(canonicalise(canonical), canonical)).toBe(true);
      const joins = canonical.root.blockCount < whole.root.blockCount;
      if (joins) expect(canonical.root.blockCount).toBe(whole.root.blockCount - outer * (count - 1));
      expect(joins).toBe(parts <= 8 && (count >= 256 || !isPair));
      expect(layoutStatistics(canonical).nodes).toBeLessThanOrEqual(layoutStatistics(whole).nodes + 2 * parts + 3);
    }),
    { seed: 20261122, numRuns: 200 },
  );
});

/** Entries of a few copies each of a pair whose blocks touch from copy to copy. */
const touchingList = fc
  .record({
    entries: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 3 })), {
      minLength: 3,
      maxLength: 40,
    }),
    length: fc.integer({ min: 1, max: 9 }),
    gap: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ entries, length, gap }) => {
    const strideBytes = 2 * length + gap;
    let at = 0;
    const starts = entries.map(([apart, copies]) => {
      const start = at + apart;
      at = start + copies * strideBytes;
      return start;
    });
    const copies = entries.map(([, of]) => of);
    const root = blocks(tableOf(starts), tableOf(copies), strideBytes, stream(2, length + gap, dense(length)));
    return layout(0, root, { lowerBoundBytes: 0, extentBytes: 1 });
  });

test("a list of touching pairs keeps every byte in its place, is settled, and has a table of at most three times its entries", () => {
  fc.assert(
    fc.property(touchingList, (whole) => {
      const canonical = canonicalise(whole);
      verifyLayout(whole, canonical);
      expect(sameLayout(canonicalise(canonical), canonical)).toBe(true);
      expect(layoutStatistics(canonical).tableEntries).toBeLessThanOrEqual(3 * layoutStatistics(whole).tableEntries);
    }),
    { seed: 20261123, numRuns: 200 },
  );
});

test("1,000 pairs of doubles are blocks of 16 bytes between two of 8", () => {
  const pair = resized(0, 24, hindexed([1, 1], [0, 16], predefined("MPI_DOUBLE")));
  const { root } = canonicalise(lower(contiguous(1000, pair)));
  expect(root.blockCount).toBe(1001);
  const billion = canonicalise(lower(contiguous(2 ** 40, pair)));
  expect(billion.root.blockCount).toBe(2 ** 40 + 1);
});
