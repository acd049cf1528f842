import { anyDatatype } from "@stowage/arbitraries";
import { boundsOf, contiguous, predefined, struct, vector } from "@stowage/ir";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { passesThrough, pathAt } from "../../src/tree/path-at.js";
import { treeRows } from "../../src/tree/tree-rows.js";

const [INT, DOUBLE] = [predefined("MPI_INT"), predefined("MPI_DOUBLE")];

test("a path names each node, and the copy of its child that the byte is in", () => {
  const type = struct([1, 2], [0, 8], [INT, vector(2, 1, 3, DOUBLE)]);
  expect(pathAt(type, 4 + 16 + 9)).toEqual([
    { path: "type", kind: "struct", copy: "member 1, 1" },
    { path: "type.children[1]", kind: "vector", copy: "1" },
    { path: "type.children[1].child", kind: "MPI_DOUBLE" },
  ]);
});

test("a byte passes through the nodes of its path and no others", () => {
  fc.assert(
    fc.property(anyDatatype({ maxSizeBytes: 256 }), fc.nat(), (type, at) => {
      const { sizeBytes } = boundsOf(type);
      fc.pre(sizeBytes > 0);
      const paths = new Set(pathAt(type, at % sizeBytes).map(({ path }) => path));
      for (const { path, facts } of treeRows(type))
        if (facts !== "") expect(passesThrough(type, at % sizeBytes, path)).toBe(paths.has(path));
    }),
  );
});

test("a tree of very many nodes or levels is cut, and says so", () => {
  let deep = contiguous(1, INT);
  for (let i = 0; i < 5000; i++) deep = contiguous(1, deep);
  expect(treeRows(deep).at(-1)?.label).toBe("… more levels");
  const wide = struct(
    Array(500).fill(1),
    Array.from({ length: 500 }, (_, i) => i * 8),
    Array(500).fill(DOUBLE),
  );
  expect(treeRows(wide).at(-1)?.label).toBe("… 476 more members");
});
