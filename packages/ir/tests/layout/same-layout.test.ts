import fc from "fast-check";
import { expect, test } from "vitest";
import {
  dense,
  denseLayout,
  layout,
  layoutHash,
  sameLayout,
  stream,
  uniformBlocks,
  type LayoutNode,
} from "../../src/index.js";
import { rebuilt } from "../../src/layout/rebuilt.js";
import { anyLayout } from "../canonicalise/arbitrary-layout.js";

const SEED = 20261121;

test("equal layouts hash alike, however they were made", () => {
  fc.assert(
    fc.property(anyLayout, (one) => {
      const other = layout(one.startBytes, rebuilt(one.root), one);
      expect(sameLayout(one, other)).toBe(true);
      expect(layoutHash(one)).toBe(layoutHash(other));
    }),
    { seed: SEED },
  );
});

test("layouts that differ are told apart, by hash too", () => {
  fc.assert(
    fc.property(anyLayout, anyLayout, (one, other) => {
      fc.pre(!sameLayout(one, other));
      expect(layoutHash(one)).not.toBe(layoutHash(other));
    }),
    { seed: SEED, numRuns: 1000 },
  );
});

test("the width of a table is no part of a layout", () => {
  const narrow = layout(0, uniformBlocks(Int32Array.of(0, 9, -4), dense(3)), denseLayout(9));
  const wide = layout(0, uniformBlocks(Float64Array.of(0, 9, -4), dense(3)), denseLayout(9));
  expect(sameLayout(narrow, wide)).toBe(true);
  expect(layoutHash(narrow)).toBe(layoutHash(wide));
});

test("strides that differ past 2^32 hash apart", () => {
  const at = (strideBytes: number) => layout(0, stream(2, strideBytes, dense(1)), denseLayout(2));
  expect(layoutHash(at(2 ** 32 + 5))).not.toBe(layoutHash(at(5)));
  expect(sameLayout(at(2 ** 32 + 5), at(5))).toBe(false);
});

test("two graphs that share differently are compared in linear time", () => {
  const tower = (leaf: LayoutNode) => {
    let node = leaf;
    for (let level = 0; level < 2000; level++) node = stream(1, level, node);
    return layout(0, node, denseLayout(1));
  };
  expect(sameLayout(tower(dense(1)), tower(dense(1)))).toBe(true);
});
