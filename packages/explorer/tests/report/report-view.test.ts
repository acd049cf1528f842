import { expect, test } from "vitest";
import { bytesText, filtered, sorted, ticks, timeText, type Column } from "../../src/report/report-view.js";

interface Row {
  readonly name: string;
  readonly ns: number | null;
}
const ROWS: readonly Row[] = [
  { name: "cpu pack", ns: 900 },
  { name: "x64 pack", ns: 20 },
  { name: "x64 unpack", ns: null },
];
const COLUMNS: readonly Column<Row>[] = [
  { name: "name", value: ({ name }) => name },
  { name: "time", value: ({ ns }) => ns, text: ({ ns }) => (ns === null ? "-" : timeText(ns)) },
];
const names = (rows: readonly Row[]): readonly string[] => rows.map(({ name }) => name);

test("numbers sort as numbers, names as names, and what has no value is last", () => {
  expect(names(sorted(ROWS, COLUMNS, { column: 1, descending: false }))).toEqual([
    "x64 pack",
    "cpu pack",
    "x64 unpack",
  ]);
  expect(names(sorted(ROWS, COLUMNS, { column: 1, descending: true }))).toEqual(["cpu pack", "x64 pack", "x64 unpack"]);
  expect(names(sorted(ROWS, COLUMNS, { column: 0, descending: true }))).toEqual(["x64 unpack", "x64 pack", "cpu pack"]);
});

test("a filter keeps the rows that hold each of its words", () => {
  expect(names(filtered(ROWS, COLUMNS, "PACK x64"))).toEqual(["x64 pack", "x64 unpack"]);
  expect(names(filtered(ROWS, COLUMNS, "900 ns"))).toEqual(["cpu pack"]);
  expect(filtered(ROWS, COLUMNS, " ")).toBe(ROWS);
});

test("axes are marked at powers inside them", () => {
  expect(ticks(3, 2000, 10)).toEqual([10, 100, 1000]);
  expect(ticks(900, 40_000, 2)).toEqual([1024, 32768]);
});

test("sizes and times read in the unit that suits them", () => {
  expect([bytesText(0), bytesText(1023), bytesText(98_304), bytesText(2 ** 40)]).toEqual([
    "0 B",
    "1020 B",
    "96 KiB",
    "1 TiB",
  ]);
  expect([timeText(9.5), timeText(1234), timeText(5e7), timeText(2e9)]).toEqual(["9.5 ns", "1.23 µs", "50 ms", "2 s"]);
});
