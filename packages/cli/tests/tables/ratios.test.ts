import { expect, test } from "vitest";
import { BETTER_MPI, cellRatios, partsOf, sizeClass } from "../../src/tables/ratios.js";
import { fragmentsText } from "../../src/tables/fragments-text.js";
import { peersText } from "../../src/tables/peers-text.js";
import { row } from "../report/rows.js";

const parts = { ours: ["x64"], mpis: ["openmpi-4.1.4", "mpich-4.0.2"], baselines: ["memcpy"] };

test("ours is compared with each other contender and with the better MPI of the same cell", () => {
  const rows = [row("x64", 10), row("openmpi-4.1.4", 40), row("mpich-4.0.2", 25), row("memcpy", 5)];
  const elsewhere = [row("mpich-4.0.2", 1, { direction: "unpack" }), row("openmpi-4.1.4", 1, { count: 2 })];
  const ratios = cellRatios([...rows, ...elsewhere], "x64", parts).map(({ against, ratio }) => [against, ratio]);
  expect(ratios).toEqual([
    [BETTER_MPI, 2.5],
    ["openmpi-4.1.4", 4],
    ["mpich-4.0.2", 2.5],
    ["memcpy", 0.5],
  ]);
});

test("contenders take their parts by name, fragments none", () => {
  const names = ["x64", "x64@64KiB", "mpich-4.0.2", "memcpy", "openmpi-4.1.4", "c-O3", "mpich-4.0.2@64KiB"];
  expect(partsOf(names.map((name) => row(name, 1)))).toEqual({
    ours: ["x64"],
    mpis: ["mpich-4.0.2", "openmpi-4.1.4"],
    baselines: ["c-O3", "memcpy"],
  });
});

test("a cell that no MPI measured has no ratio with one", () => {
  const ratios = cellRatios([row("x64", 10), row("memcpy", 5)], "x64", parts);
  expect(ratios.map(({ against }) => against)).toEqual(["memcpy"]);
});

test("a packed size belongs to the nearest power of two", () => {
  expect([960, 1024, 1400, 1500, 0].map(sizeClass)).toEqual([1024, 1024, 1024, 2048, 0]);
});

test("fragments are compared with the same contender's whole message", () => {
  const text = fragmentsText([row("x64", 100), row("x64@64KiB", 108), row("memcpy", 50)]);
  expect(text).toMatch(/x64@64KiB +1 +1\.08 +1\.08 \(w pack\)/);
  expect(text).not.toContain("memcpy");
});

test("ratios come first, and fragments are no workload's main row", () => {
  const made = { createNs: 1000, commitNs: 2000, freeNs: 500 };
  const rows = [row("x64", 10, made), row("x64@64KiB", 11, made), row("mpich-4.0.2", 30, made), row("memcpy", 5)];
  const text = peersText(rows);
  expect(text.indexOf("times as fast as: x64")).toBe(0);
  expect(text).toMatch(/about 1\.00 KiB +pack +bound +1 +3\.00 \(3\.00\)/);
  expect(text).toContain("1.00 us + 2.00 us + 500 ns");
  expect(text.indexOf("create + commit + free")).toBeGreaterThan(text.indexOf("time in fragments"));
});
