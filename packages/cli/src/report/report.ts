import { outputFile, SCHEMA } from "@stowage/bench";
import { anyRows, parseResults, rowsTable } from "@stowage/bench/results";
import { isOverheads } from "@stowage/overheads";
import { statSync } from "node:fs";
import { join } from "node:path";
import { print, printJson } from "../print.js";
import { readText } from "../read-text.js";
import { reportCsv } from "./csv.js";
import { reportMarkdown } from "./markdown.js";
import { reportOsu } from "./osu.js";
import { changesOver, overMarkdown } from "./over.js";
import { writeIndex } from "./results-index.js";
import type { Run } from "./run.js";
import { summarise, type SpeedUp } from "./summary.js";

interface Options {
  readonly plots?: string;
  readonly against?: string;
  readonly over?: string;
  readonly index?: string;
  readonly html?: string;
  readonly csv?: boolean;
  readonly osu?: boolean;
  readonly json?: boolean;
}

/** `stowage report`. */
export async function report(files: readonly string[], options: Options): Promise<void> {
  if (options.index !== undefined) {
    if (files.length > 0) throw new Error(`--index: expected no files beside it, got ${files.join(" ")}`);
    return print(writeIndex(options.index).trimEnd());
  }
  if (files.length === 0) throw new Error("FILES: expected result files that `stowage bench --out` wrote, got none");
  const [first = ""] = files;
  if (files.length === 1 && statSync(first, { throwIfNoEntry: false })?.isDirectory() === true) {
    requireOnly(options, ["plots", "html", "json"], "a recording");
    const { reportRecording } = await import("../recording/report-recording.js");
    return reportRecording(first, options);
  }
  if (files.every((path) => isOverheads(readText(path)))) {
    requireOnly(options, ["plots", "json"], "files of overheads");
    return (await import("../overheads/report-overheads.js")).reportOverheads(files, options);
  }
  if (files.every(isOfAnotherForm)) {
    requireOnly(options, ["json"], "files of other experiments");
    const rows = files.flatMap((path) => anyRows(JSON.parse(readText(path))));
    return options.json === true ? printJson({ rows }) : print(rowsTable(rows));
  }
  const runs = files.map(readRun);
  if (options.html !== undefined) {
    await reportHtml(options.html, runs, options.over);
    if (options.plots !== undefined) await drawPlots(options.plots, runs, options.against);
    return options.json === true ? printJson(dataOf(runs)) : print(options.html);
  }
  if (options.over !== undefined) return reportOver(runs, readRun(options.over), options);
  if (options.csv === true) return print(reportCsv(runs));
  if (options.osu === true) return print(reportOsu(runs));
  const speedUps = summarise(runs, options.against);
  if (options.plots !== undefined) await drawPlots(options.plots, runs, options.against);
  if (options.json === true) printJson(dataOf(runs, speedUps));
  else print(reportMarkdown(runs, speedUps));
}

/** JSON that is no file of datatypes that were moved: an experiment's own, or one that is older than their form. */
function isOfAnotherForm(path: string): boolean {
  try {
    const { schema, kind = "moves" } = JSON.parse(readText(path)) as { schema?: string; kind?: string };
    return schema !== undefined
      ? schema !== SCHEMA || kind !== "moves"
      : anyRows(JSON.parse(readText(path))).length > 1;
  } catch {
    return false;
  }
}

/** What is in the files is known once they are read: none of the options is ignored then either. */
function requireOnly(options: Options, known: readonly (keyof Options)[], got: string): void {
  const other = (Object.keys(options) as (keyof Options)[]).find((name) => !known.includes(name));
  if (other !== undefined) throw new Error(`--${other}: expected files of \`stowage bench --out\`, got ${got}`);
}

const dataOf = (runs: readonly Run[], speedUps: readonly SpeedUp[] = summarise(runs)) => ({
  speedUps,
  rows: runs.flatMap(({ rows }) => rows),
});

async function reportHtml(path: string, runs: readonly Run[], over: string | undefined): Promise<void> {
  const { writeHtml } = await import("./html-report.js");
  const [earlier, later] = runs;
  if (over !== undefined) writeHtml(path, runs, readRun(over));
  else if (runs.length === 2 && later !== undefined) writeHtml(path, [later], earlier);
  else writeHtml(path, runs, undefined);
}

const readRun = (file: string): Run => ({ file, ...parseResults(readText(file), file) });

function reportOver(runs: readonly Run[], earlier: Run, { json }: Options): void {
  if (json === true) printJson(runs.flatMap((run) => changesOver(run, earlier)));
  else print(runs.map((run) => overMarkdown(run, earlier)).join("\n\n"));
}

async function drawPlots(folder: string, runs: readonly Run[], against: string | undefined): Promise<void> {
  const { plotsOf } = await import("./figures/figures.js");
  const { renderSvg } = await import("./render-svg.js");
  for (const { name, specification } of plotsOf(runs, against)) {
    outputFile(join(folder, `${name}.svg`), "--plots").write(await renderSvg(specification));
  }
}
