import { cpus } from "node:os";
import {
  cellsOf,
  grouped,
  heading,
  interruption,
  measureCell,
  modeOf,
  resultsFile,
  workloadOfSize,
  type Cell,
  type ResultRow,
} from "@stowage/bench";
import { CellInput, DEVICE_ROUTES, Gpu, type DeviceRoute } from "@stowage/bench/device";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { canonicalise, lower } from "@stowage/ir";
import { findProfile } from "@stowage/selector";
import { workloadNames } from "@stowage/workloads";
import {
  deviceCandidates,
  deviceContenderOf,
  hostCandidates,
  hostContenderOf,
  type MeasuredBackend,
} from "../calibrate/candidates.js";
import { print, printJson } from "../print.js";
import { progressBar } from "../progress.js";
import { predicted, regretsOf, type PredictedRow } from "./cell-regret.js";
import { quantilesOf, regretText } from "./regret-text.js";
import { sampleOf } from "./sample-of.js";

interface Options {
  readonly all?: boolean;
  readonly seconds: string;
  readonly seed: string;
  readonly threads?: string;
  readonly device?: "cuda";
  readonly simulated?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

const SIZES = [10, 12, 15, 18, 20, 22, 24, 26].map((power) => 2 ** power);
const SAMPLING = { budgetMs: 8, warmUpMs: 3, sampleUs: 60, rounds: 5 } as const;
/** Elements that lie further apart take more memory than contenders are given. */
const MOST_SCATTERED_BYTES = 2 ** 30;
const MOST_SIMULATED_BYTES = 2 ** 21;

/** `stowage regret`. */
export async function regret(options: Options): Promise<void> {
  const [seconds, seed] = [wholeNumber("--seconds", options.seconds), wholeNumber("--seed", options.seed)];
  const threads = options.threads === undefined ? cpus().length : wholeNumber("--threads", options.threads);
  const driver =
    options.device === undefined ? undefined : options.simulated === true ? openSimulatedCuda() : openCuda();
  using gpu = driver === undefined ? undefined : new Gpu(driver);
  const { profile, remarks, path } = findProfile();
  const file = options.out === undefined ? undefined : resultsFile(options.out, "--out");
  const head = heading(`stowage regret ${process.argv.slice(3).join(" ")}`, gpu?.machine);
  const candidates = gpu === undefined ? hostCandidates(Math.min(threads, cpus().length)) : deviceCandidates(gpu);
  const asked = workloadNames().flatMap((name) => SIZES.map((size) => ({ name, size })));
  const sample = options.all === true ? asked : sampleOf(asked, seed);
  const end = options.all === true ? Infinity : performance.now() + seconds * 1000;
  const ways: PredictedRow[] = [];
  const seen = new Set<string>();
  using bar = progressBar("regret");
  using stop = interruption();
  bar.line([path === undefined ? "shipped figures" : `figures of ${path}`, ...remarks].join("; "));
  for (const [i, { name, size }] of sample.entries()) {
    if (performance.now() > end || (await stop.seen())) break;
    bar.show(i, sample.length);
    for (const rows of measured(name, size, candidates, gpu, seen)) {
      const layout = canonicalise(lower(rows.cell.datatype));
      ways.push(...predicted(rows.rows, candidates, layout, rows.route, profile));
    }
    file?.keep(
      head,
      ways.map(({ row }) => row),
    );
  }
  bar.end();
  const keyOf = ({ row }: PredictedRow): string =>
    [row.workload, row.count, row.packedBytes, row.direction, row.route, modeOf(row)].join();
  const rows = [...grouped(ways, keyOf).values()].flatMap(regretsOf);
  if (rows.length === 0) throw new Error("regret: expected cells to measure, got none in the time");
  file?.finish(
    head,
    ways.map(({ row }) => row),
  );
  if (options.json === true) return printJson({ ...quantilesOf(rows.map((row) => row.regret)), rows });
  print(regretText(rows, ways));
}

interface MeasuredRows {
  readonly cell: Cell;
  readonly route: "host" | DeviceRoute;
  readonly rows: readonly ResultRow[];
}

function* measured(
  name: string,
  size: number,
  candidates: readonly MeasuredBackend[],
  gpu: Gpu | undefined,
  seen: Set<string>,
): Generator<MeasuredRows> {
  const { datatype, count } = workloadOfSize(name, size);
  const layout = lower(datatype);
  const key = `${name} ${layout.sizeBytes} ${count}`;
  const reachBytes = layout.trueExtentBytes + (count - 1) * Math.abs(layout.extentBytes);
  const most = gpu?.driver.simulated === true ? MOST_SIMULATED_BYTES : MOST_SCATTERED_BYTES;
  // Some workloads have few sizes, and meet the same one again.
  if (seen.has(key) || reachBytes > most || layout.sizeBytes === 0) return;
  seen.add(key);
  const cells = cellsOf(name, datatype, count);
  if (gpu === undefined) {
    for (const cell of cells)
      yield { cell, route: "host", rows: measureCell(cell, candidates.map(hostContenderOf), SAMPLING).rows };
    return;
  }
  using input = new CellInput(gpu, cells[0] as Cell);
  for (const cell of cells) {
    for (const route of DEVICE_ROUTES) {
      const contenders = candidates.map((each) => deviceContenderOf(gpu, input, each, route));
      yield { cell, route, rows: measureCell(cell, contenders, SAMPLING).rows };
    }
  }
}

function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${option}: expected a whole number above 0, got ${text}`);
  return Number(text);
}
