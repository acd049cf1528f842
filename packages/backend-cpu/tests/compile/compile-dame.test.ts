import {
  blocks,
  dense,
  denseLayout,
  integerTable,
  layout,
  sequence,
  stream,
  uniformBlocks,
  type LayoutNode,
} from "@stowage/ir";
import * as fc from "fast-check";
import { anyLayout } from "@stowage/arbitraries";
import { describe, expect, test } from "vitest";
import { compileDame, printDame, verifyDame } from "../../src/index.js";

const textOf = (root: LayoutNode, startBytes = 0): string[] =>
  printDame(compileDame(layout(startBytes, root, { lowerBoundBytes: 0, extentBytes: 1000 })))
    .split("\n")
    .map((line) => line.trim())
    .slice(1, -2);

const displacements = (...values: number[]) => integerTable(values.length, (i) => values[i] as number);

describe("each node becomes a primitive", () => {
  test.each<[string, LayoutNode, string[]]>([
    ["a run", dense(12), ["CONTIGFINAL(12)"]],
    ["a stream of runs", stream(3, 20, dense(8)), ["VECTORFINAL(3,1,20,8,8)", "CONTIGFINAL(8)"]],
    ["a backward stream", stream(3, -20, dense(8)), ["VECTORFINAL(3,1,-20,8,8)", "CONTIGFINAL(8)"]],
    [
      "equal blocks",
      uniformBlocks(displacements(0, 40, 8), dense(4)),
      ["BLOCKINDEXFINAL(3,1,[0,40,8],4,4)", "CONTIGFINAL(4)"],
    ],
    [
      "runs of bytes",
      blocks(displacements(0, 9), displacements(4, 2), 1, dense(1)),
      ["INDEXFINAL(2,[4,2],[0,9],1,1)", "CONTIGFINAL(1)"],
    ],
    [
      "runs of copies",
      blocks(displacements(0, 99), displacements(4, 2), 8, dense(8)),
      ["INDEXFINAL(2,[4,2],[0,99],8,8)", "CONTIGFINAL(8)"],
    ],
    [
      "copies apart",
      blocks(displacements(0, 99), displacements(4, 2), 10, dense(8)),
      ["INDEX(2,[4,2],[0,99],8,10)", "CONTIGCHILD", "CONTIGFINAL(8)"],
    ],
    [
      "a stream of streams",
      stream(2, 100, stream(3, 20, dense(8))),
      ["VECTOR1(2,1,100,24,48)", "VECTORFINAL(3,1,20,8,8)", "CONTIGFINAL(8)"],
    ],
    [
      "blocks of streams",
      uniformBlocks(displacements(0, 500), stream(3, 20, dense(8))),
      ["BLOCKINDEX1(2,1,[0,500],24,48)", "VECTORFINAL(3,1,20,8,8)", "CONTIGFINAL(8)"],
    ],
  ])("%s", (_, root, text) => {
    expect(textOf(root)).toEqual(text);
  });

  test("a sequence, with a subprogram a member", () => {
    const root = sequence([
      { offsetBytes: 8, node: dense(8) },
      { offsetBytes: 0, node: dense(0) },
      { offsetBytes: 0, node: stream(2, 4, dense(2)) },
    ]);
    expect(textOf(root)).toEqual([
      "STRUCT(2,[1,1],[8,0],[8,4],[8,6])",
      "RETURNTO(2)",
      "CONTIGFINAL(8)",
      "BOTTOM",
      "RETURNTO(2)",
      "VECTORFINAL(2,1,4,2,2)",
      "CONTIGFINAL(2)",
      "BOTTOM",
    ]);
  });

  test("a layout that starts off its address 0 is one block at its start", () => {
    expect(textOf(stream(2, 16, dense(8)), -24)).toEqual([
      "BLOCKINDEX1(1,1,[-24],16,24)",
      "VECTORFINAL(2,1,16,8,8)",
      "CONTIGFINAL(8)",
    ]);
  });

  test("an empty layout moves an empty run", () => {
    expect(textOf(stream(0, 8, dense(8)))).toEqual(["CONTIGFINAL(0)"]);
    expect(textOf(sequence([]))).toEqual(["CONTIGFINAL(0)"]);
    expect(printDame(compileDame(denseLayout(0)))).toContain("CONTIGFINAL(0)");
  });
});

test("every program verifies", () => {
  fc.assert(fc.property(anyLayout({ sparse: true }), (element) => verifyDame(compileDame(element))));
});

test("tables are the layout's own, not copies", () => {
  const table = displacements(0, 40, 8);
  const [, primitive] = compileDame(
    layout(0, uniformBlocks(table, dense(4)), { lowerBoundBytes: 0, extentBytes: 44 }),
  ).primitives;
  expect((primitive as { displacementsBytes: unknown }).displacementsBytes).toBe(table);
});

describe("shared nodes are written once", () => {
  test("doubling forty times makes a program of hundreds of primitives, not 2^40", () => {
    let node: LayoutNode = dense(1);
    for (let i = 0; i < 40; i++) {
      node = sequence([
        { offsetBytes: 0, node },
        { offsetBytes: 2 ** i, node: stream(1, 0, node) },
      ]);
    }
    const program = compileDame(layout(0, node, { lowerBoundBytes: 0, extentBytes: 2 ** 40 }));
    expect(program.primitives.length).toBeLessThan(400);
    verifyDame(program);
  });

  test("a member that stands inside another member too", () => {
    const inner = stream(2, 8, dense(4));
    const outer = stream(
      2,
      64,
      sequence([
        { offsetBytes: 0, node: inner },
        { offsetBytes: 32, node: dense(1) },
      ]),
    );
    const root = sequence([
      { offsetBytes: 0, node: outer },
      { offsetBytes: 256, node: inner },
    ]);
    const text = textOf(root);
    expect(text.filter((line) => line.startsWith("VECTORFINAL(2,1,8,4,4)")).length).toBe(1);
  });
});

test("nesting has no limit", () => {
  let node: LayoutNode = dense(8);
  for (let i = 0; i < 10_000; i++) node = sequence([{ offsetBytes: 1, node }]);
  const program = compileDame(layout(0, node, { lowerBoundBytes: 0, extentBytes: 16 }));
  verifyDame(program);
  expect(program.primitives.length).toBe(30_003);
});
