import { blocks, dense, integerTable } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { evenRuns } from "../../src/encode/even-runs.js";

const table = (values: readonly number[]) => integerTable(values.length, (i) => values[i] ?? 0);
const runs = (displacements: readonly number[], lengths: readonly number[]) =>
  blocks(table(displacements), table(lengths), 1, dense(1));

describe("even runs", () => {
  test("blocks that are mostly equal become equal pieces", () => {
    const even = evenRuns(runs([100, 0, 40], [4, 8, 4]));
    expect(even?.unitBytes).toBe(4);
    expect([...(even?.displacementsBytes ?? [])]).toEqual([100, 0, 4, 40]);
  });
  test("blocks of many lengths stay a searched list", () => {
    expect(evenRuns(runs([0, 100, 300], [8, 120, 64]))).toBeUndefined();
  });
});
