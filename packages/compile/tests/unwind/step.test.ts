import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hindexed, indexed, indexedBlock, predefined, resized, struct, vector, contiguous } from "@stowage/ir";
import { afterAll, describe, expect, test } from "vitest";
import { datatypeOf, goldenTypes } from "../golden/golden-types.js";
import { buildStepping, runStepping, type SteppedType } from "./step-cases.js";

const hasCompiler = spawnSync("gcc", ["--version"]).status === 0;

const double = predefined("MPI_DOUBLE");
const int = predefined("MPI_INT");
const column = vector(40, 1, 5, double);
const nested = vector(3, 2, 4, resized(-8, 200, indexed([3, 1, 7, 2], [0, 9, 20, 11], int)));
const places = Int32Array.from({ length: 300 }, (_, i) => 3 * i + (i % 7 === 0 ? 1 : 0));

/** Loops, tables, nests whose counters and walks lie on the stack, runs of all lengths, copies through each way. */
const TYPES: readonly SteppedType[] = [
  { datatype: column, copiesTo: contiguous(40, double) },
  { datatype: contiguous(40, double), copiesTo: column },
  { datatype: vector(40, 1, 5, double), copiesTo: vector(40, 1, 9, double) },
  { datatype: indexedBlock(1, places, int), copiesTo: vector(150, 2, 3, int) },
  { datatype: nested, copiesTo: indexed([78], [3], int) },
  { datatype: struct([3, 1], [0, 40], [int, vector(5, 1, 3, double)]) },
  { datatype: vector(4, 3, 5, vector(5, 2, 4, vector(6, 1, 3, int))), copiesTo: contiguous(720, int) },
  { datatype: hindexed([1, 30, 3, 100, 17, 1], [0, 20, 300, 1000, 800, 400], int) },
  { datatype: contiguous(5000, int), copiesTo: vector(5, 1000, 1001, int) },
  { datatype: vector(9, 1, -3, indexedBlock(2, [9, 0, 4, 17, 30], double)) },
];

const golden = (step: number): readonly SteppedType[] =>
  goldenTypes()
    .filter((each, i) => i % step === 0 && each.size > 0 && each.size < 2 ** 16 && each.buffer < 2 ** 24)
    .map((each) => ({ datatype: datatypeOf(each) }));

describe.runIf(hasCompiler)("from every instruction the caller is found, with its registers", () => {
  const folder = mkdtempSync(join(tmpdir(), "unwind-step-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ["every kind of code, SSE2", "x86-64", TYPES],
    ["every kind of code, as this processor has it", "multi", TYPES],
    ["golden types, as this processor has it", "multi", golden(12)],
  ] as const)("%s", (_, target, types) => {
    expect(buildStepping(folder, types, target)).toBe("");
    const { steps, places: checked, wrong, messages } = runStepping(folder, 20_000);
    expect([wrong, messages]).toEqual([0, ""]);
    expect(checked).toBeGreaterThan(types.length * 200);
    expect(steps).toBeGreaterThan(checked);
  });
});

describe.skipIf(hasCompiler)("no C compiler", () => {
  test("nothing was stepped through", () => expect(hasCompiler).toBe(false));
});
