import { lower, resized, runs, vector, predefined, indexed, type Datatype } from "@stowage/ir";
import { workload } from "@stowage/workloads";
import { describe, expect, test } from "vitest";
import { liesInOrder } from "../src/cell/blocks.js";
import { cellsOf, expectedScatter, requireSameBytes, type Cell } from "../src/cell/cell.js";
import { Pattern, PERIOD_BYTES } from "../src/cell/pattern.js";

const DOUBLE = predefined("MPI_DOUBLE");
const CHAR = predefined("MPI_CHAR");

const TYPES: readonly [string, Datatype, number][] = [
  ["a vector of doubles", vector(100, 3, 7, DOUBLE), 3],
  ["bytes apart", vector(50, 1, 3, CHAR), 2],
  ["a negative extent", resized(-40, -48, vector(3, 1, 2, DOUBLE)), 4],
  ["a list that goes back", indexed([2, 1, 30], [90, 0, 20], DOUBLE), 2],
  ["blocks longer than a view is worth", workload("vector-512", { packedBytes: 8192 }).datatype, 1],
  ["more than a period of the pattern", vector(3, 1, 2 ** 18, DOUBLE), 1],
];

describe.each(TYPES)("%s", (_, datatype, count) => {
  const [pack, unpack] = cellsOf("type", datatype, count) as readonly [Cell, Cell];
  const all = [...runs(lower(datatype), { count, first: 0, length: pack.packedBytes })];

  test("is packed byte by byte as its runs lie", () => {
    const bytes = all.flatMap(({ offsetBytes, lengthBytes }) =>
      Array.from({ length: lengthBytes }, (_, i) => pack.scattered[pack.originBytes + offsetBytes + i]),
    );
    expect(Buffer.compare(pack.packed, Uint8Array.from(bytes as number[]))).toBe(0);
  });

  test("scatters to these bytes and to no other", () => {
    const moved = new Set(
      all.flatMap(({ offsetBytes, lengthBytes }) => Array.from({ length: lengthBytes }, (_, i) => offsetBytes + i)),
    );
    const expected = Uint8Array.from(unpack.scattered, (byte, i) => (moved.has(i - unpack.originBytes) ? byte : 0x5a));
    expect(Buffer.compare(expectedScatter(unpack, 0x5a), expected)).toBe(0);
  });
});

test("the pattern repeats after its period, and its parts are parts of the whole", () => {
  const pattern = new Pattern(3 * PERIOD_BYTES - 5);
  const bytes = pattern.bytes();
  expect(bytes.length).toBe(3 * PERIOD_BYTES - 5);
  expect(Buffer.compare(bytes.subarray(PERIOD_BYTES), bytes.subarray(0, 2 * PERIOD_BYTES - 5))).toBe(0);
  for (const [from, length] of [
    [0, 7],
    [PERIOD_BYTES - 3, 200],
    [PERIOD_BYTES + 1, 2 * PERIOD_BYTES - 6],
    [17, 95],
  ] as const) {
    const part = new Uint8Array(length + 1);
    pattern.copyTo(part, 1, from, length);
    expect(Buffer.compare(part.subarray(1), bytes.subarray(from, from + length))).toBe(0);
  }
});

test("blocks lie in order where none starts before the end of another before it", () => {
  expect(liesInOrder(lower(vector(4, 1, 2, DOUBLE)), 1)).toBe(true);
  expect(liesInOrder(lower(indexed([1, 1], [2, 0], DOUBLE)), 1)).toBe(false);
  expect(liesInOrder(lower(resized(0, 8, vector(2, 1, 2, DOUBLE))), 2)).toBe(false);
});

test("the first byte that differs is named by its place in the whole", () => {
  const [cell] = cellsOf("type", DOUBLE, 1) as readonly [Cell];
  expect(() => requireSameBytes(cell, "cpu", Uint8Array.of(1, 2, 3), Uint8Array.of(1, 9, 3), 4096)).toThrow(
    "type: cpu: byte 4097 of the pack: expected 2, got 9",
  );
});
