import { heading, interruption, outputFile, outputFolder, type OutputFile } from "@stowage/bench";
import {
  measureOverheads,
  OVERHEADS_SCHEMA,
  startedUnder,
  type OverheadResults,
  type OverheadRow,
} from "@stowage/overheads";
import { print, printJson } from "../print.js";
import { progressBar } from "../progress.js";
import { mpiName } from "./mpi-name.js";
import { readCallers, readExperiments, readMpis, readRanks, type TypedOptions } from "./options.js";
import { overheadTables } from "./tables.js";

/** `stowage overheads`. Under mpirun its first rank does it all: each experiment starts ranks of its own. */
export async function overheads(typed: readonly string[], options: TypedOptions): Promise<void> {
  const under = startedUnder(process.env);
  if (under !== undefined && under.rank !== 0) return;
  const experiments = readExperiments(typed);
  const [callers, worlds, libraries] = [readCallers(options), readRanks(options), readMpis(options)];
  const file = options.out === undefined ? undefined : outputFile(options.out, "--out");
  if (options.plots !== undefined) outputFolder(options.plots, "--plots");
  const [rows, remarks]: [OverheadRow[], string[]] = [[], []];
  const head = heading(`stowage overheads ${process.argv.slice(3).join(" ")}`.trimEnd());
  const results = (): OverheadResults => ({ ...head, schema: OVERHEADS_SCHEMA, remarks, rows });
  using bar = progressBar("overheads");
  using stop = interruption();
  for (const library of libraries) {
    const name = mpiName(library);
    for (const ranks of worlds) {
      if (await stop.seen()) break;
      await measureOverheads({
        ...{ library, name, ranks, quick: options.quick === true, experiments, callers },
        row: (row) => rows.push(row),
        remark: (line) => {
          if (!remarks.includes(line)) bar.line(line);
          remarks.push(line);
        },
        stopped: () => stop.seen(),
        progress: (done, total) => {
          bar.show(done, total);
          keep(file, results());
        },
      });
    }
  }
  bar.end();
  if (rows.length > 0) file?.write(textOf(results()));
  stop.throwIfSeen(keptText(rows, options.out));
  if (rows.length === 0) throw new Error(`overheads: expected something to measure, got none: ${remarks.join("; ")}`);
  if (options.plots !== undefined) await (await import("./draw.js")).drawOverheads(options.plots, [results()]);
  if (options.json === true) printJson(results());
  else print(overheadTables([results()]));
}

const keep = (file: OutputFile | undefined, results: OverheadResults): void =>
  void (file?.replaceable === true && results.rows.length > 0 && file.write(textOf(results)));

const textOf = (results: OverheadResults): string => `${JSON.stringify(results, null, 1)}\n`;

const keptText = (rows: readonly OverheadRow[], out: string | undefined): string =>
  out === undefined || rows.length === 0
    ? `${rows.length} points, nothing kept`
    : `${rows.length} points kept in ${out}`;
