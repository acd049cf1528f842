import { expect, test } from "vitest";
import { reportCsv } from "../../src/report/csv.js";
import { reportMarkdown } from "../../src/report/markdown.js";
import { reportOsu } from "../../src/report/osu.js";
import { changesOver, overMarkdown } from "../../src/report/over.js";
import { summarise } from "../../src/report/summary.js";
import { EPYC, row, run, XEON } from "./rows.js";

const markdown = (...runs: ReturnType<typeof run>[]): string => reportMarkdown(runs, summarise(runs));

test("machines stand side by side where there are several, and are not named in each line where there is one", () => {
  const here = run([row("x64", 10), row("memcpy", 5)], EPYC);
  const there = run([row("x64", 3), row("memcpy", 2)], XEON);
  expect(markdown(here)).not.toContain("| machine |");
  expect(markdown(here, there)).toMatch(/\| machine \| contender \|/);
  expect(markdown(here, there)).toContain("| 16 cores of Xeon | x64 | memcpy | pack | bound | 1 | 0.67 x |");
});

test("a cell holds no bar, no line end and no escape sequence, whatever a name holds", () => {
  const text = markdown(run([row("x64", 10, { workload: "a|b\n\u001b[31mred" }), row("memcpy", 5)]));
  expect(text).toContain("| a\\|b [31mred |");
  expect(text).not.toContain("\u001b");
});

test("a report has the ratios of each run that MPIs took part in", () => {
  const rows = [row("x64", 10), row("memcpy", 5)];
  expect(markdown(run([...rows, row("mpich-4.0.2", 30)]))).toContain("times as fast as: x64 against each peer");
  expect(markdown(run(rows))).not.toContain("times as fast as: x64");
});

test("CSV has a line a row, and quotes what must be", () => {
  const [head, line, ...none] = reportCsv([run([row('x,"64"', 10)])]).split("\n");
  expect(none).toEqual([]);
  expect(head).toMatch(/^file,machine,date,commit,workload,count,packedBytes,direction,route,mode,contender,medianNs,/);
  expect(line).toBe(
    'run.json,2 cores of AMD EPYC,2026-11-22T10:00:00.000Z,abc,w,1,1000,pack,host,bound,"x,""64""",10,10,10,7,100,0,,,',
  );
});

test("an OSU-style table has a line a size, in order, and a column a contender", () => {
  const rows = [
    row("x64", 2000, { packedBytes: 64 }),
    row("memcpy", 1000, { packedBytes: 64 }),
    row("x64", 500, { packedBytes: 8 }),
  ];
  expect(reportOsu([run(rows)])).toBe(
    [
      "# w, pack, host, bound; 2 cores of AMD EPYC",
      "# Size              x64 (us)     memcpy (us)",
      "8                       0.50               -",
      "64                      2.00            1.00",
    ].join("\n"),
  );
});

test("a run over an earlier one of the same machine is a ratio", () => {
  const [change] = changesOver(run([row("x64", 10)]), run([row("x64", 15)]));
  expect(change?.ratio).toBe(1.5);
});

test("a run over one of another machine says so, and divides nothing", () => {
  const [now, before] = [run([row("x64", 10)], EPYC, "a.json"), run([row("x64", 15)], XEON, "b.json")];
  expect(changesOver(now, before)[0]?.ratio).toBeUndefined();
  expect(overMarkdown(now, before)).toMatch(
    /^a\.json is of 2 cores of AMD EPYC, b\.json of 16 cores of Xeon: .*not divided/,
  );
  expect(overMarkdown(now, run([row("cpu", 1)]))).toContain("no cell is in both");
});
