import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { distinctNodes } from "../../src/analysis/distinct-nodes.js";
import { applyPass, applyToGraph } from "../../src/canonicalise/apply-pass.js";
import {
  blocks,
  dense,
  EMPTY,
  integerTable,
  layout,
  PASSES,
  sameLayout,
  sequence,
  stream,
  uniformBlocks,
  verifyLayout,
} from "../../src/index.js";
import type { Layout, LayoutNode } from "../../src/index.js";
import { anyLayout } from "./arbitrary-layout.js";

const SEED = 20261121;
const D8 = dense(8);
const table = (...values: number[]) => integerTable(values.length, (i) => values[i] as number);
const at = (offsetBytes: number, node: LayoutNode) => ({ offsetBytes, node });
const place = (startBytes: number, root: LayoutNode): Layout =>
  layout(startBytes, root, { lowerBoundBytes: 0, extentBytes: 1000 });

/** For each pass its equation, left side to right side, and a node to leave alone: its precondition just fails. */
const EQUATIONS: Record<string, { from: LayoutNode; to: Layout; alone: LayoutNode }> = {
  dropEmpty: {
    from: sequence([at(0, D8), at(40, stream(0, 8, D8)), at(16, D8)]),
    to: place(0, sequence([at(0, D8), at(16, D8)])),
    alone: sequence([at(0, D8), at(16, D8)]),
  },
  elideUnitStream: { from: stream(1, 99, D8), to: place(0, D8), alone: stream(2, 99, D8) },
  unwrapSingle: {
    from: blocks(table(24), table(3), 16, D8),
    to: place(24, stream(3, 16, D8)),
    alone: uniformBlocks(table(24, 0), D8),
  },
  foldDenseStream: { from: stream(5, 8, D8), to: place(0, dense(40)), alone: stream(5, 9, D8) },
  mergeNestedStreams: {
    from: stream(3, 64, stream(4, 16, D8)),
    to: place(0, stream(12, 16, D8)),
    alone: stream(3, 65, stream(4, 16, D8)),
  },
  uniteBlocklengths: {
    from: blocks(table(0, 50, 90), table(2, 2, 2), 16, D8),
    to: place(0, uniformBlocks(table(0, 50, 90), stream(2, 16, D8))),
    alone: blocks(table(0, 50, 90), table(2, 2, 3), 16, D8),
  },
  measureRunsInBytes: {
    from: blocks(table(0, 50), table(2, 3), 8, D8),
    to: place(0, blocks(table(0, 50), table(16, 24), 1, dense(1))),
    alone: blocks(table(0, 50), table(2, 3), 9, D8),
  },
  anchorFirstByte: {
    from: uniformBlocks(table(7, 3, 30), D8),
    to: place(7, uniformBlocks(table(0, -4, 23), D8)),
    alone: uniformBlocks(table(0, 3, 30), D8),
  },
  tabulateSequence: {
    from: sequence([at(0, dense(4)), at(9, dense(2)), at(30, dense(7))]),
    to: place(0, blocks(table(0, 9, 30), table(4, 2, 7), 1, dense(1))),
    alone: sequence([at(0, dense(4)), at(9, stream(2, 9, dense(2)))]),
  },
  recoverStreams: {
    from: uniformBlocks(table(0, 10, 100, 110, 200, 210), D8),
    to: place(0, stream(3, 100, stream(2, 10, D8))),
    alone: uniformBlocks(table(0, 10, 101, 110, 200, 217), D8),
  },
  flattenSequence: {
    from: sequence([at(0, D8), at(50, sequence([at(0, dense(2)), at(9, dense(3))]))]),
    to: place(0, sequence([at(0, D8), at(50, dense(2)), at(59, dense(3))])),
    alone: sequence([at(0, D8), at(50, dense(2))]),
  },
  joinStreams: {
    from: sequence([at(0, stream(3, 20, D8)), at(60, stream(2, 20, D8)), at(100, D8)]),
    to: place(0, sequence([at(0, stream(6, 20, D8))])),
    alone: sequence([at(0, stream(3, 20, D8)), at(61, stream(2, 20, D8))]),
  },
  coalesceAdjacent: {
    from: uniformBlocks(table(0, 8, 50, 58, 66), D8),
    to: place(0, blocks(table(0, 50), table(16, 24), 1, dense(1))),
    alone: uniformBlocks(table(8, 0, 50), D8),
  },
  joinAcrossIterations: {
    from: stream(256, 40, sequence([at(0, dense(4)), at(8, dense(2)), at(30, dense(10))])),
    to: place(
      0,
      sequence([
        at(0, dense(4)),
        at(0, stream(255, 40, sequence([at(8, dense(2)), at(30, dense(14))]))),
        at(10208, dense(2)),
        at(10230, dense(10)),
      ]),
    ),
    alone: stream(256, 41, sequence([at(0, dense(4)), at(8, dense(2)), at(30, dense(10))])),
  },
  joinWithinBlocks: {
    from: blocks(table(0, 100, 300), table(2, 1, 3), 24, stream(2, 16, D8)),
    to: place(
      0,
      blocks(table(0, 16, 40, 100, 116, 300, 316, 340, 364), table(8, 16, 8, 8, 8, 8, 16, 16, 8), 1, dense(1)),
    ),
    alone: blocks(table(0, 100, 300), table(2, 1, 4), 24, stream(2, 16, D8)),
  },
};

describe.each(PASSES.map((pass) => [pass.name, pass] as const))("%s", (name, pass) => {
  test("keeps every byte, its packed order and the bounds", () => {
    fc.assert(
      fc.property(anyLayout, (before) => verifyLayout(before, applyPass(pass, before))),
      { seed: SEED, numRuns: 500 },
    );
  });

  test("rewrites no node of another kind than it says, and a chain of nodes as any other layout", () => {
    fc.assert(
      fc.property(anyLayout, (before) => {
        for (const node of distinctNodes(before.root))
          if (pass.kinds?.includes(node.kind) === false) expect(pass.rewrite(node)).toBe(undefined);
        expect(sameLayout(applyPass(pass, before), applyToGraph(pass, before))).toBe(true);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test("rewrites the left side of its equation to the right side", () => {
    const { from, to } = EQUATIONS[name] as (typeof EQUATIONS)[string];
    expect(sameLayout(applyPass(pass, place(0, from)), to)).toBe(true);
  });

  test("returns the very layout where its precondition fails", () => {
    const { alone } = EQUATIONS[name] as (typeof EQUATIONS)[string];
    const before = place(0, alone);
    expect(applyPass(pass, before)).toBe(before);
  });
});

test("a layout of nothing becomes EMPTY", () => {
  const [dropEmpty] = PASSES;
  expect(dropEmpty && applyPass(dropEmpty, place(0, stream(3, 8, dense(0)))).root).toBe(EMPTY);
});
