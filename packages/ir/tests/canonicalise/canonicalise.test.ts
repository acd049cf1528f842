import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalise,
  contiguous,
  dense,
  forEachRun,
  hindexed,
  hindexedBlock,
  hvector,
  indexedBlock,
  layoutHash,
  lower,
  predefined,
  resized,
  sameLayout,
  stream,
  struct,
  stridedBlock,
  subarray,
  uniformBlocks,
  vector,
  verifyLayout,
} from "../../src/index.js";
import type { Datatype, Layout } from "../../src/index.js";
import { sameNode } from "../../src/layout/same-layout.js";
import { anyLayout } from "./arbitrary-layout.js";

const SEED = 20261121;
const FLOAT = predefined("MPI_FLOAT");
const DOUBLE = predefined("MPI_DOUBLE");
const BYTE = predefined("MPI_BYTE");
const canonical = (datatype: Datatype): Layout => canonicalise(lower(datatype));

test("keeps every byte, its packed order and the bounds, after every pass", () => {
  fc.assert(
    fc.property(anyLayout, (start) => {
      const end = canonicalise(start, { onPass: (_, before, after) => verifyLayout(before, after) });
      verifyLayout(start, end);
    }),
    { seed: SEED, numRuns: 2000 },
  );
});

test("is idempotent: a canonical layout comes back as it is", () => {
  fc.assert(
    fc.property(anyLayout, (start) => {
      const once = canonicalise(start);
      expect(canonicalise(once)).toBe(once);
    }),
    { seed: SEED, numRuns: 2000 },
  );
});

test("every node's first packed byte lies at its own zero", () => {
  fc.assert(
    fc.property(anyLayout, (start) => {
      const end = canonicalise(start);
      let first: number | undefined;
      forEachRun(
        end,
        { count: 1, first: 0, length: Math.min(1, end.sizeBytes) },
        (offsetBytes) => (first = offsetBytes),
      );
      expect(first ?? 0).toBe(end.startBytes);
    }),
    { seed: SEED, numRuns: 1000 },
  );
});

describe("equivalent constructions of one object (TEMPI, section 2 and Figure 2) are one layout", () => {
  const [a0, a1, a2] = [256, 512, 1024] as const;
  const [e0, e1, e2] = [100, 13, 47] as const;
  const order = "C";

  const rows: Datatype[] = [
    contiguous(e0, FLOAT),
    contiguous(e0 * 4, BYTE),
    vector(1, e0, 1, FLOAT),
    vector(e0, 4, 4, BYTE),
    hvector(e0 * 4, 1, 1, BYTE),
    subarray({ sizes: [a0], subsizes: [e0], starts: [0], order, child: FLOAT }),
    subarray({ sizes: [a0 * 4], subsizes: [e0 * 4], starts: [0], order, child: BYTE }),
  ];
  const planes: Datatype[] = [
    vector(e1, e0, a0, FLOAT),
    vector(e1, e0 * 4, a0 * 4, BYTE),
    subarray({ sizes: [a1, a0], subsizes: [e1, e0], starts: [0, 0], order, child: FLOAT }),
    subarray({ sizes: [a0, a1], subsizes: [e0, e1], starts: [0, 0], order: "F", child: FLOAT }),
    subarray({ sizes: [a1, a0 * 4], subsizes: [e1, e0 * 4], starts: [0, 0], order, child: BYTE }),
    ...rows.map((row) => hvector(e1, 1, a0 * 4, row)),
    ...rows.map((row) => vector(e1, 1, 1, resized(0, a0 * 4, row))),
    ...rows.map((row) => subarray({ sizes: [a1], subsizes: [e1], starts: [0], order, child: resized(0, a0 * 4, row) })),
  ];
  const cuboids: Datatype[] = [
    subarray({ sizes: [a2, a1, a0], subsizes: [e2, e1, e0], starts: [0, 0, 0], order, child: FLOAT }),
    subarray({ sizes: [a0 * 4, a1, a2], subsizes: [e0 * 4, e1, e2], starts: [0, 0, 0], order: "F", child: BYTE }),
    ...planes.map((plane) => hvector(e2, 1, a0 * 4 * a1, plane)),
    hindexedBlock(1, enumerate([e2, e1, e0], [a0 * 4 * a1, a0 * 4, 4]), FLOAT),
    hindexed(
      Array.from({ length: e2 * e1 }, () => e0),
      enumerate([e2, e1], [a0 * 4 * a1, a0 * 4]),
      FLOAT,
    ),
  ];

  test.each([
    ["rows", rows, [e0 * 4], [1]],
    ["planes", planes, [e0 * 4, e1], [1, a0 * 4]],
    ["cuboids", cuboids, [e0 * 4, e1, e2], [1, a0 * 4, a0 * 4 * a1]],
  ])("%s", (_, constructions, counts, stridesBytes) => {
    const layouts = constructions.map(canonical);
    for (const layout of layouts) {
      expect(sameNode(layout.root, (layouts[0] as Layout).root)).toBe(true);
      expect(stridedBlock(layout)).toEqual({ startBytes: 0, counts, stridesBytes });
    }
  });
});

/** Byte displacements of a grid, outermost level first. */
function enumerate(counts: readonly number[], stridesBytes: readonly number[]): number[] {
  return counts.reduce<number[]>(
    (starts, count, level) =>
      starts.flatMap((start) => Array.from({ length: count }, (_, i) => start + i * (stridesBytes[level] as number))),
    [0],
  );
}

describe("the faults that reading TEMPI found are not ours", () => {
  test("a stream of one element keeps its start", () => {
    const corner = subarray({ sizes: [8, 8], subsizes: [1, 1], starts: [3, 5], order: "C", child: DOUBLE });
    expect(stridedBlock(canonical(corner))).toEqual({ startBytes: (3 * 8 + 5) * 8, counts: [8], stridesBytes: [1] });
  });

  test("the levels of a transpose keep their order, which is the packed order", () => {
    const column = hvector(4, 1, 24, DOUBLE);
    const transpose = canonical(hvector(3, 1, 8, column));
    expect(stridedBlock(transpose)).toEqual({ startBytes: 0, counts: [8, 4, 3], stridesBytes: [1, 24, 8] });
  });
});

describe("regular structure is recovered from lists", () => {
  const grid = enumerate([20, 30, 10], [16000, 400, 16]);

  test("an enumerated 3D subarray is three streams", () => {
    expect(stridedBlock(canonical(hindexedBlock(1, grid, DOUBLE)))?.counts).toEqual([8, 10, 30, 20]);
  });

  test("two concatenated grids are two", () => {
    const second = enumerate([5, 30, 10], [16000, 400, 16]).map((at) => at + 800_008);
    const { root } = canonical(hindexedBlock(1, [...grid, ...second], DOUBLE));
    expect(root.kind === "sequence" && root.members.map(({ node }) => node.kind)).toEqual(["stream", "stream"]);
  });

  test.each([0, 1, 1234, 2999, 5999])("one perturbed index, %i, is kept exact", (index) => {
    const perturbed = grid.map((at, i) => (i === index ? at + 8 : at));
    const lowered = lower(hindexedBlock(1, perturbed, DOUBLE));
    const end = canonicalise(lowered);
    verifyLayout(lowered, end);
    expect(stridedBlock(end)).toBeUndefined();
  });

  test("irregular rows of a regular shape are a list of streams", () => {
    const starts = [0, 1000, 1800, 5000, 6100, 9000, 20_000, 21_500];
    const { root } = canonical(
      hindexedBlock(
        1,
        starts.flatMap((at) => [0, 1, 2, 3, 4].map((i) => at + i * 16)),
        DOUBLE,
      ),
    );
    expect(sameNode(root, uniformBlocks(Int32Array.from(starts), stream(5, 16, dense(8))))).toBe(true);
  });

  test("an irregular list stays a table of at most 16 bytes an index", () => {
    const displacements = Int32Array.from({ length: 100_000 }, (_, i) => (i * i * 31 + i * 7919) % 1_000_003);
    const { root } = canonical(indexedBlock(1, displacements, DOUBLE));
    expect(root.kind === "blocks" && root.displacementsBytes.byteLength / displacements.length).toBe(4);
  });
});

describe("structs", () => {
  test("a struct of one access pattern is a list", () => {
    const type = struct([1, 1, 2], [0, 12, 16], [DOUBLE, FLOAT, FLOAT]);
    const { root } = canonical(type);
    expect(root.kind).toBe("blocks");
  });

  test("members that are one stream are one stream", () => {
    const type = struct([1, 1, 1], [0, 48, 64], [hvector(3, 1, 16, DOUBLE), DOUBLE, hvector(2, 1, 16, DOUBLE)]);
    expect(sameNode(canonical(type).root, stream(6, 16, dense(8)))).toBe(true);
  });

  test("the 24-byte struct of {double, int, int, char} is one run of 17 bytes", () => {
    const type = struct([1, 1, 1, 1], [0, 8, 12, 16], [DOUBLE, FLOAT, FLOAT, BYTE]);
    expect(canonical(type).root).toEqual(dense(17));
    expect(canonical(type).extentBytes).toBe(24);
  });
});

describe("no nesting is too deep, and shared nodes stay shared", () => {
  test("10,000 levels", () => {
    let type: Datatype = DOUBLE;
    for (let level = 0; level < 10_000; level++)
      type = struct([1, 1], [0, 100_000 + level], [contiguous(1, type), BYTE]);
    expect(canonical(type).sizeBytes).toBe(8 + 10_000);
  });

  test("20 levels of a struct that holds its child three times", () => {
    let type: Datatype = struct([1, 1], [0, 16], [DOUBLE, BYTE]);
    for (let level = 0; level < 20; level++)
      type = struct([1, 1, 1], [0, 50 * 3 ** level, 101 * 3 ** level], [type, resized(0, 1, type), type]);
    expect(canonical(type).sizeBytes).toBe(9 * 3 ** 20);
  });
});

test("count is never part of a layout: hash and equality see extents", () => {
  const narrow = canonical(DOUBLE);
  const wide = canonical(resized(0, 16, DOUBLE));
  expect(sameLayout(narrow, wide)).toBe(false);
  expect(layoutHash(narrow)).not.toBe(layoutHash(wide));
});
