import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ArgumentError,
  blocks,
  dense,
  forEachRun,
  integerTable,
  layout,
  runs,
  sequence,
  stream,
} from "../../src/index.js";
import { EMPTY, type Layout, type LayoutNode, type PackedRange } from "../../src/index.js";
import { anyCutLayout } from "./any-layout.js";
import { byteOffsets } from "./byte-offsets.js";

function visited(of: Layout, range: PackedRange): number[] {
  const offsets: number[] = [];
  forEachRun(of, range, (offset, length) => {
    expect(length).toBeGreaterThan(0);
    for (let i = 0; i < length; i++) offsets.push(offset + i);
  });
  return offsets;
}

const unbounded = (root: LayoutNode): Layout => layout(0, root, { lowerBoundBytes: 0, extentBytes: 64 });

describe("forEachRun", () => {
  it("visits every byte of the type map, in packed order", () => {
    fc.assert(
      fc.property(anyCutLayout(), ({ layout, count }) => {
        const length = count * layout.sizeBytes;
        expect(visited(layout, { count, first: 0, length })).toEqual(byteOffsets(layout, count));
      }),
      { numRuns: 2000 },
    );
  });

  it("gives the whole for any split of the packed stream into ranges", () => {
    fc.assert(
      fc.property(anyCutLayout(), ({ layout, count, cuts }) => {
        const whole = byteOffsets(layout, count);
        const edges = [0, ...cuts, whole.length].sort((a, b) => a - b);
        for (let i = 1; i < edges.length; i++) {
          const [first, end] = [edges[i - 1] as number, edges[i] as number];
          expect(visited(layout, { count, first, length: end - first })).toEqual(whole.slice(first, end));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("visits as many runs as the layout counts, where the elements do not merge into one run", () => {
    fc.assert(
      fc.property(anyCutLayout(), ({ layout, count }) => {
        fc.pre(layout.root.kind !== "dense");
        let seen = 0;
        forEachRun(layout, { count, first: 0, length: count * layout.sizeBytes }, () => seen++);
        expect(seen).toBe(count * layout.root.blockCount);
      }),
    );
  });

  it("visits the runs that the generator yields", () => {
    fc.assert(
      fc.property(anyCutLayout(), ({ layout, count, cuts }) => {
        const first = cuts[0] ?? 0;
        const range = { count, first, length: count * layout.sizeBytes - first };
        const seen: { offsetBytes: number; lengthBytes: number }[] = [];
        forEachRun(layout, range, (offsetBytes, lengthBytes) => seen.push({ offsetBytes, lengthBytes }));
        expect([...runs(layout, range)]).toEqual(seen);
      }),
      { numRuns: 2000 },
    );
  });

  it("walks 10,000 levels without recursion", () => {
    let root: LayoutNode = sequence([
      { offsetBytes: 0, node: dense(1) },
      { offsetBytes: 2, node: dense(1) },
    ]);
    for (let level = 1; level < 10_000; level++) {
      root =
        level % 2 === 0
          ? stream(1, 0, root)
          : sequence([
              { offsetBytes: 1, node: root },
              { offsetBytes: 9, node: EMPTY },
            ]);
    }
    expect(root.depth).toBeGreaterThanOrEqual(10_000);
    expect(visited(unbounded(root), { count: 2, first: 1, length: 2 })).toEqual([5002, 5064]);
  });

  it("joins dense elements that stand side by side", () => {
    const seen: number[][] = [];
    const elements = layout(4, dense(8), { lowerBoundBytes: 4, extentBytes: 8 });
    forEachRun(elements, { count: 10, first: 3, length: 70 }, (...run) => seen.push(run));
    expect(seen).toEqual([[7, 70]]);
  });

  it("takes a block of copies that touch as one run, and passes over empty blocks", () => {
    const displacements = integerTable(4, (i) => 100 * i);
    const lengths = Int32Array.of(0, 3, 0, 2);
    const seen: number[][] = [];
    const all = { count: 1, first: 2, length: 16 };
    forEachRun(unbounded(blocks(displacements, lengths, 4, dense(4))), all, (...run) => seen.push(run));
    expect(seen).toEqual([
      [102, 10],
      [300, 6],
    ]);
  });

  it("finds a range far beyond 2^32 at once", () => {
    const far = unbounded(stream(2 ** 30, 4096, stream(2 ** 10, 2, dense(1))));
    const last = 2 ** 40 - 1;
    expect(visited(far, { count: 1, first: last, length: 1 })).toEqual([(2 ** 30 - 1) * 4096 + 2046]);
  });

  it("asks nothing of a range without bytes", () => {
    const far = layout(0, dense(8), { lowerBoundBytes: 0, extentBytes: Number.MAX_SAFE_INTEGER });
    expect(visited(far, { count: 2 ** 40, first: 8, length: 0 })).toEqual([]);
  });

  it.each([
    [{ count: -1, first: 0, length: 0 }, /^count: expected an integer from 0 to 2\^53 - 1, got -1$/],
    [{ count: 1.5, first: 0, length: 0 }, /^count: .* got 1.5$/],
    [{ count: 1, first: -1, length: 1 }, /^first byte of a packed range: .* got -1$/],
    [{ count: 1, first: 0, length: NaN }, /^length of a packed range: .* got NaN$/],
    [{ count: 2 ** 52, first: 2 ** 53 - 1, length: 9 }, /^end of a packed range: .* got 9007199254741000$/],
    [{ count: 2, first: 8, length: 9 }, /^end of a packed range: expected at most 2 x 8 bytes, got 17$/],
  ])("refuses the range %j", (range, message) => {
    expect(() => visited(unbounded(dense(8)), range)).toThrow(message);
    expect(() => [...runs(unbounded(dense(8)), range)]).toThrow(ArgumentError);
  });

  it("refuses elements whose offsets leave the safe integers", () => {
    const far = layout(0, stream(2, 16, dense(8)), { lowerBoundBytes: 0, extentBytes: 2 ** 52 });
    expect(() => visited(far, { count: 3, first: 32, length: 1 })).toThrow(/expected an integer within/);
    expect(visited(far, { count: 3, first: 16, length: 1 })).toEqual([2 ** 52]);
  });
});
