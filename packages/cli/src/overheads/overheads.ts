import { heading, interruption, outputFile, type OutputFile } from "@stowage/bench";
import {
  currentLoad,
  isTooBusy,
  loadText,
  OVERHEADS_SCHEMA,
  parseOverheads,
  projectOverheads,
  startedUnder,
  type Load,
  type MeasuredLoad,
  type OverheadResults,
  type OverheadRow,
} from "@stowage/overheads";
import { commandLine } from "../command-line.js";
import { print, printJson } from "../print.js";
import { readText } from "../read-text.js";
import { measureWorlds } from "./measure-worlds.js";
import { readCallers, readExperiments, readMpis, readProject, readRanks, type TypedOptions } from "./options.js";
import { projectionText } from "./projection-text.js";
import { overheadTables } from "./tables.js";

/** `stowage overheads`. Under mpirun its first rank does it all: each experiment starts ranks of its own. */
export async function overheads(typed: readonly string[], options: TypedOptions): Promise<void> {
  const under = startedUnder(process.env);
  if (under !== undefined && under.rank !== 0) return;
  const project = readProject(options);
  const file = options.out === undefined ? undefined : outputFile(options.out, "--out");
  const measured = options.from === undefined ? await measureAll(typed, options, file) : fromFiles(options.from);
  const projected = project === undefined ? undefined : projectOverheads(measured.rows, project);
  const results = projected === undefined ? measured : { ...measured, projected };
  // Rows of other files stay there: the command names them.
  file?.write(textOf(options.from === undefined ? results : { ...results, rows: [] }));
  if (options.plots !== undefined) await (await import("./draw.js")).drawOverheads(options.plots, [results]);
  if (options.json === true) printJson(results);
  else print(projected === undefined ? overheadTables([results]) : projectionText(projected, measured));
}

/** Measures; throws where the user asked to stop, once what was measured is kept. */
async function measureAll(
  typed: readonly string[],
  options: TypedOptions,
  file: OutputFile | undefined,
): Promise<OverheadResults> {
  const [rows, loads, remarks]: [OverheadRow[], MeasuredLoad[], string[]] = [[], [], []];
  const results: OverheadResults = { ...heading(commandLine()), schema: OVERHEADS_SCHEMA, remarks, rows, loads };
  const asked = { experiments: readExperiments(typed), libraries: readMpis(options), worlds: readRanks(options) };
  const mostRanks = Math.max(...asked.worlds);
  if (options.despiteLoad !== true) requireIdle(await currentLoad(mostRanks), mostRanks);
  using stop = interruption("overheads");
  await measureWorlds({
    ...{ ...asked, callers: readCallers(options), quick: options.quick === true },
    stopped: () => stop.seen(),
    row: (row) => rows.push(row),
    load: (load) => loads.push(load),
    remark: (line) => remarks.push(line),
    keep: () => file?.replaceable === true && rows.length > 0 && file.write(textOf(results)),
  });
  if ((await stop.seen()) && rows.length > 0) file?.write(textOf(results));
  stop.throwIfSeen(keptText(rows, options.out));
  if (rows.length === 0) throw new Error(`overheads: expected something to measure, got none: ${remarks.join("; ")}`);
  return results;
}

/** Throws one line where ranks would share processors with other work. */
export function requireIdle(load: Load | undefined, ranks: number): void {
  if (load === undefined || !isTooBusy(load, ranks)) return;
  const needed = Math.min(ranks, load.processors);
  throw new Error(
    `overheads: expected ${needed} idle ${needed === 1 ? "processor" : "processors"} for ${ranks} ranks, got ${loadText(load)}; ` +
      "--despite-load measures all the same, and draws no finding from what was disturbed",
  );
}

/** The rows of several files of one machine. */
function fromFiles(files: readonly string[]): OverheadResults {
  const runs = files.map((path) => parseOverheads(readText(path), path));
  const [first] = runs;
  if (first === undefined) throw new Error("--from: expected files that `stowage overheads --out` wrote, got none");
  const rows = runs.flatMap((run) => run.rows);
  const loads = runs.flatMap(({ loads = [] }) => loads);
  return { ...first, command: commandLine(), remarks: runs.flatMap(({ remarks }) => remarks), rows, loads };
}

const textOf = (results: OverheadResults): string => `${JSON.stringify(results, null, 1)}\n`;

const keptText = (rows: readonly OverheadRow[], out: string | undefined): string =>
  out === undefined || rows.length === 0
    ? `${rows.length} points, nothing kept`
    : `${rows.length} points kept in ${out}`;
