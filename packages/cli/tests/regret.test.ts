import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UNCALIBRATED } from "@stowage/backend-api";
import { canonicalise, lower, predefined, vector } from "@stowage/ir";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hostCandidates } from "../src/calibrate/candidates.js";
import { regretsOf } from "../src/regret/cell-regret.js";
import { fixedList } from "../src/regret/fixed-list.js";
import type { PredictedRow } from "../src/regret/predicted-row.js";
import { tieredTime, tiersOf } from "../src/regret/tiering.js";
import { createProgram } from "../src/program.js";
import { runProgram } from "../src/run-program.js";
import { row } from "./report/rows.js";

let [out, err, folder] = ["", "", ""];

const stowage = (...args: string[]): Promise<number> => runProgram(createProgram(), ["node", "stowage", ...args]);

beforeEach(() => {
  [out, err] = ["", ""];
  folder = mkdtempSync(join(tmpdir(), "stowage-regret-"));
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((out += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((err += String(text)), true));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const way = (contender: string, medianNs: number, commitNs: number, runNs: number, foretold: number): PredictedRow => ({
  row: row(contender, medianNs, { commitNs, minNs: medianNs }),
  runNs,
  commitNs: foretold,
});

describe("regret of a cell", () => {
  const ways = [way("cpu", 1000, 100, 900, 100), way("x64", 100, 50_000, 120, 40_000)];

  test("is the time of the choice over the best's, for each number of uses; 1 where the choice is the best", () => {
    const rows = regretsOf(ways, ["x64", "cpu"], []);
    expect(rows.map(({ uses, chosen, best }) => [uses, chosen, best])).toEqual([
      [1, "cpu", "cpu"],
      [10, "cpu", "cpu"],
      [1e3, "x64", "x64"],
      [1e6, "x64", "x64"],
    ]);
    expect(rows.map(({ regret }) => regret)).toEqual([1, 1, 1, 1]);
    expect(rows[0]?.listRegret).toBeCloseTo(50_100 / 1100, 6);
  });

  test("is more where the prediction is wrong, and 1 where times differ by less than they vary", () => {
    const wrong = [way("cpu", 1000, 100, 10, 100), way("x64", 100, 100, 1000, 100)];
    expect(regretsOf(wrong, ["x64"], [])[3]?.regret).toBeCloseTo(10, 2);
    const varied = wrong.map((each) => ({ ...each, row: { ...each.row, minNs: 1 } }));
    expect(regretsOf(varied, ["x64"], []).map(({ regret }) => regret)).toEqual([1, 1, 1, 1]);
  });

  test("counting uses pays each tier's commit and calls, in turn", () => {
    const rows = ways.map((each) => each.row);
    const tiers = [
      { contender: "cpu", uses: 40 },
      { contender: "x64", uses: Infinity },
    ];
    expect(tieredTime(tiers, rows, 10)).toEqual({ ns: 100 + 10 * 1000, last: "cpu" });
    expect(tieredTime(tiers, rows, 100)).toEqual({ ns: 100 + 40 * 1000 + 50_000 + 60 * 100, last: "x64" });
  });
});

test("tiers are those that an engine goes through", () => {
  const layout = canonicalise(lower(vector(512, 1, 4, predefined("MPI_DOUBLE"))));
  const tiers = tiersOf(hostCandidates(2), layout, { direction: "pack", count: 1 }, "host", UNCALIBRATED);
  expect(tiers.at(-1)).toEqual({ contender: "x64", uses: Infinity });
});

test("the fixed list goes by where bytes lie and how", () => {
  const of = (count: number, stride: number, route: "host" | "device") =>
    fixedList(canonicalise(lower(vector(count, 1, stride, predefined("MPI_DOUBLE")))), 1, route)[0];
  expect([of(4, 4, "host"), of(4, 1, "device"), of(4, 4, "device")]).toEqual(["x64", "dma", "cuda-strided"]);
});

describe("stowage regret", () => {
  test("measures within its time, keeps the rows, scores them anew and draws them", async () => {
    const [rows, svg] = [join(folder, "rows.json"), join(folder, "regret.svg")];
    expect(await stowage("regret", "--seconds", "5", "--threads", "1", "--out", rows)).toBe(0);
    expect(existsSync(rows)).toBe(true);
    out = "";
    expect(await stowage("regret", "--from", rows, "--svg", svg, "--json")).toBe(0);
    const scores = JSON.parse(out) as { median: number; p95: number; worst: number; rows: { uses: number }[] };
    expect(scores.median).toBeGreaterThanOrEqual(1);
    expect(scores.worst).toBeGreaterThanOrEqual(scores.p95);
    expect(new Set(scores.rows.map(({ uses }) => uses))).toEqual(new Set([1, 10, 1e3, 1e6]));
    expect(readFileSync(svg, "utf8")).toMatch(/^<svg/);
    out = "";
    expect(await stowage("regret", "--from", rows)).toBe(0);
    for (const table of ["counting uses", "prediction error of", "calls that repay the commit", "worst choices"])
      expect(out).toContain(table);
  });

  test.each([
    [["--seconds", "0"], /^stowage: --seconds: expected a whole number above 0, got 0/],
    [["--from", "/nowhere.json"], /nowhere\.json/],
    [["--svg", "/proc/nowhere/regret.svg"], /^stowage: --svg: expected/],
  ])("%j is bad input, in one line", async (args, message) => {
    expect(await stowage("regret", ...args)).toBe(2);
    expect(err).toMatch(message);
  });
});
