import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ArgumentError,
  blocks,
  dense,
  EMPTY,
  integerTable,
  layout,
  locate,
  sequence,
  stream,
} from "../../src/index.js";
import { anyCutLayout } from "./any-layout.js";
import { byteOffsets } from "./byte-offsets.js";

describe("locate", () => {
  it("agrees with enumeration, for every byte of every element", () => {
    fc.assert(
      fc.property(anyCutLayout(), ({ layout, count }) => {
        const located = Array.from({ length: count * layout.sizeBytes }, (_, i) => locate(layout, i));
        expect(located).toEqual(byteOffsets(layout, count));
      }),
      { numRuns: 2000 },
    );
  });

  it("finds byte 3 of element 10^9 of a nested indexed type", () => {
    const inner = blocks(Int32Array.of(5, 0, 90), Int32Array.of(0, 2, 1), 16, dense(4));
    const outer = blocks(
      integerTable(1000, (i) => (999 - i) * 2 ** 20),
      Int32Array.from({ length: 1000 }, (_, i) => i % 7),
      256,
      inner,
    );
    const nested = layout(-7, outer, { lowerBoundBytes: 0, extentBytes: 4096 });
    expect(locate(nested, 10 ** 9 * nested.sizeBytes + 3)).toBe(-7 + 4096e9 + 998 * 2 ** 20 + 3);
  });

  it("refuses what is no byte of a packed stream", () => {
    const eight = layout(0, dense(8), { lowerBoundBytes: 0, extentBytes: 2 ** 53 - 1 });
    expect(() => locate(eight, -1)).toThrow(/^packed byte: expected an integer from 0 to 2\^53 - 1, got -1$/);
    expect(() => locate(eight, 0.5)).toThrow(ArgumentError);
    expect(() => locate(eight, 16)).toThrow(/^offset of a packed byte: /);
    const empty = layout(0, stream(3, 4, EMPTY), { lowerBoundBytes: 0, extentBytes: 8 });
    expect(() => locate(empty, 0)).toThrow(/^packed byte: expected none, of an empty layout, got 0$/);
  });

  it("goes down 10,000 levels without recursion", () => {
    let root = stream(2, 4, dense(2));
    for (let i = 0; i < 10_000; i++) root = stream(1, 0, sequence([{ offsetBytes: 1, node: root }]));
    expect(locate(layout(0, root, { lowerBoundBytes: 0, extentBytes: 0 }), 3)).toBe(10_005);
  });
});
