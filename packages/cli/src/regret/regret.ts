import { cpus } from "node:os";
import { heading, interruption, outputFile, resultsFile, type Interruption, type ResultRow } from "@stowage/bench";
import { LlvmBackend } from "@stowage/backend-llvm";
import { Gpu } from "@stowage/bench/device";
import { parseResults } from "@stowage/bench/results";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { findProfile } from "@stowage/selector";
import { workloadNames } from "@stowage/workloads";
import { deviceCandidates, hostCandidates, routeCandidates, routesOf } from "../calibrate/candidates.js";
import { warmUpCommits } from "../calibrate/warm-up.js";
import { commandLine } from "../command-line.js";
import { print, printJson } from "../print.js";
import { progressBar } from "../progress.js";
import { readText } from "../read-text.js";
import { shuffled } from "../shuffled.js";
import { earlierCells, type CellRows } from "./cell-rows.js";
import { measuredCells, type AskedCell } from "./measured-cells.js";
import { quantilesOf } from "./quantiles.js";
import { regretPlot } from "./regret-plot.js";
import { regretText } from "./regret-text.js";
import { scored, type Scores } from "./scored.js";

interface Options {
  readonly all?: boolean;
  readonly seconds: number;
  readonly seed: number;
  readonly threads?: number;
  readonly device?: "cuda";
  readonly simulated?: boolean;
  readonly from?: string;
  readonly out?: string;
  readonly svg?: string;
  readonly json?: boolean;
}

const SIZES = [10, 12, 15, 18, 20, 22, 24, 26].map((power) => 2 ** power);
/** The share of the time in which JavaScript's compiler optimises what commits and calls. */
const WARM_UP_SHARE = 0.04;

/** `stowage regret`. */
export async function regret(options: Options): Promise<void> {
  const { profile, remarks, path } = findProfile();
  const svg = options.svg === undefined ? undefined : outputFile(options.svg, "--svg");
  const figures = path === undefined ? "shipped figures" : `figures of ${path}`;
  const threads = Math.min(options.threads ?? 2, cpus().length);
  using stop = interruption("regret");
  const cells =
    options.from === undefined
      ? await measure(options, threads, [figures, ...remarks].join("; "), stop)
      : earlier(options.from);
  // Predictions ask no device.
  const driver = openSimulatedCuda();
  using routes = routesOf(driver);
  const counts = [...new Set([threads, ...threadsIn(cells)])];
  const candidates = [
    ...hostCandidates(1),
    ...counts.flatMap((count) => hostCandidates(count).filter((each) => each.threads > 1)),
    { name: "llvm", backend: new LlvmBackend({ library: "look" }), threads: 1 },
    ...deviceCandidates(driver),
    ...routeCandidates(routes),
  ];
  const scores = scored(cells, candidates, profile);
  if (scores.rows.length === 0) throw new Error("regret: expected cells to measure, got none in the time");
  await report(scores, svg, figures, options.json === true);
  stop.throwIfSeen(`${cells.length} cells measured so far`);
}

/** The numbers of threads of candidates that share a call among several. */
const threadsIn = (cells: readonly CellRows[]): readonly number[] =>
  cells.flatMap(({ rows }) => rows.flatMap(({ contender }) => Number(/\((\d+) threads\)$/.exec(contender)?.[1] ?? [])));

async function report(
  { rows, ways }: Scores,
  svg: { write(content: string): void } | undefined,
  figures: string,
  json: boolean,
): Promise<void> {
  if (svg !== undefined) {
    const { renderSvg } = await import("../report/render-svg.js");
    svg.write(await renderSvg(regretPlot(rows, `regret, ${figures}`)));
  }
  if (json) return printJson({ ...quantilesOf(rows.map((row) => row.regret)), rows });
  print(regretText(rows, ways));
}

/** Rows that an earlier run wrote, to be predicted with the figures of now. */
function earlier(path: string): readonly CellRows[] {
  return earlierCells(parseResults(readText(path), path).rows);
}

async function measure(
  options: Options,
  threads: number,
  said: string,
  stop: Interruption,
): Promise<readonly CellRows[]> {
  const { seconds, seed } = options;
  const file = options.out === undefined ? undefined : resultsFile(options.out, "--out");
  const driver =
    options.device === undefined ? undefined : (options.simulated === true ? openSimulatedCuda : openCuda)();
  using gpu = driver === undefined ? undefined : new Gpu(driver);
  using routes = driver === undefined ? undefined : routesOf(driver);
  const onDevice =
    driver === undefined || routes === undefined ? [] : [...deviceCandidates(driver), ...routeCandidates(routes)];
  const candidates = gpu === undefined ? hostCandidates(threads) : onDevice;
  const asked = workloadNames().flatMap((name) => SIZES.map((packedBytes): AskedCell => ({ name, packedBytes })));
  const sample = options.all === true ? asked : shuffled(asked, seed);
  const begun = performance.now();
  const past = (share: number): boolean => performance.now() - begun > share * seconds * 1000;
  using bar = progressBar("regret");
  bar.line(said);
  // What a GPU's driver takes of a commit is no matter of JavaScript's compiler, but the rest of it is.
  warmUpCommits(hostCandidates(threads), WARM_UP_SHARE * 1000 * seconds);
  const head = heading(commandLine(), gpu?.machine);
  const isOver = (): boolean => options.all !== true && past(1);
  const cells: CellRows[] = [];
  const rows: ResultRow[] = [];
  const seen = new Set<string>();
  for (const [i, each] of sample.entries()) {
    if (isOver() || (await stop.seen())) break;
    bar.show(i, sample.length);
    for (const cell of measuredCells(each, seen, { candidates, gpu, isOver })) {
      cells.push(cell);
      rows.push(...cell.rows);
    }
    file?.keep(head, rows);
  }
  bar.end();
  file?.finish(head, rows);
  return cells;
}
