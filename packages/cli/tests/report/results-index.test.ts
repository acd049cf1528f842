import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { headlineOf } from "../../src/report/headline.js";
import { writeIndex } from "../../src/report/results-index.js";
import { row, run } from "./rows.js";

const folder = mkdtempSync(join(tmpdir(), "stowage-index-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("an index names question, headline, date and command of each file, by machine", () => {
  mkdirSync(join(folder, "epyc"));
  const { file: _, ...results } = run([row("x64", 10), row("c-O3", 15)]);
  writeFileSync(join(folder, "epyc", "plain-c.json"), JSON.stringify(results));
  writeFileSync(join(folder, "epyc", "own.json"), JSON.stringify({ question: "How many?", headline: "many" }));
  writeFileSync(join(folder, "epyc", "limits.log"), "one\ntwo\n");
  const text = writeIndex(folder);
  expect(readFileSync(join(folder, "README.md"), "utf8")).toBe(text);
  const headline = "x64 over c-O3: 1.50 x in the geometric mean of 1 cells, least 1.50 x";
  expect(text.split("\n").slice(4)).toEqual([
    "## epyc",
    "",
    "| question | headline | date | command |",
    "| --- | --- | --- | --- |",
    "| [limits](epyc/limits.log) | 2 lines | - | - |",
    "| [How many?](epyc/own.json) | many | - | - |",
    `| [plain c](epyc/plain-c.json) | ${headline} | 2026-11-22 | \`npx stowage bench\` |`,
    "",
  ]);
});

test("a folder without results is one line", () => {
  expect(() => writeIndex(join(folder, "nowhere"))).toThrow(
    /^--index: expected a folder of results, got .*nowhere: ENOENT$/,
  );
});

test("the better MPI is the strongest baseline, then plain C, then memcpy; without any it says who took part", () => {
  const mpis = [row("openmpi-4.1.4", 40), row("mpich-4.0.2", 30)];
  expect(headlineOf(run([row("cpu", 20), row("x64", 10), row("memcpy", 5), ...mpis]))).toMatch(
    /^x64 over the better MPI: 3\.00 x/,
  );
  expect(headlineOf(run([row("x64", 10), row("memcpy", 5)]))).toMatch(/^x64 over memcpy: 0\.50 x/);
  expect(headlineOf(run([row("plain", 10), row("paced", 5)]))).toBe("2 rows of plain, paced");
});
