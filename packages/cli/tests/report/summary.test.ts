import { expect, test } from "vitest";
import { baselineOf } from "../../src/report/run.js";
import { summarise } from "../../src/report/summary.js";
import { EPYC, row, run, XEON } from "./rows.js";

const means = (...given: Parameters<typeof summarise>) =>
  summarise(...given).map(({ machine, contender, geometricMean }) => [machine, contender, geometricMean]);

test("a contender is divided by the baseline of its own run, never by another machine's", () => {
  const slow = run([row("x64", 100), row("c-O3", 200)], EPYC);
  const fast = run([row("x64", 10), row("c-O3", 15)], XEON);
  expect(means([slow, fast], "c-O3")).toEqual([
    ["2 cores of AMD EPYC", "x64", 2],
    ["16 cores of Xeon", "x64", 1.5],
  ]);
});

test("runs of one machine have baselines of their own, and one mean", () => {
  const cold = run([row("x64", 100), row("c-O3", 200)]);
  const warm = run([row("x64", 10), row("c-O3", 80)]);
  expect(means([cold, warm], "c-O3")).toEqual([["2 cores of AMD EPYC", "x64", 4]]);
});

test("a run without the baseline has no ratio", () => {
  expect(means([run([row("x64", 100)]), run([row("cpu", 10), row("c-O3", 15)], XEON)], "c-O3")).toEqual([
    ["16 cores of Xeon", "cpu", 1.5],
  ]);
});

test("calls are divided by calls, bound plans by bound plans", () => {
  const rows = [
    row("x64", 100, { mode: "call" }),
    row("x64", 10),
    row("memcpy", 50, { mode: "call" }),
    row("memcpy", 2),
  ];
  expect(summarise([run(rows)]).map(({ mode, geometricMean }) => [mode, geometricMean])).toEqual([
    ["call", 0.5],
    ["bound", 0.2],
  ]);
});

test("a baseline that no run has is one line that names those that are there", () => {
  expect(() => summarise([run([row("x64", 1), row("cpu", 1)])], "gcc")).toThrow(
    "--against: expected one of x64, cpu, got gcc",
  );
});

test("speed-ups are over memcpy, or the first contender where it has no rows", () => {
  expect(baselineOf([row("x64", 1), row("memcpy", 1)])).toBe("memcpy");
  expect(baselineOf([row("plain", 1), row("paced", 1)])).toBe("plain");
});
