import { figuresOf, UNCALIBRATED, type CostModel, type Figures } from "@stowage/backend-api";
import { CPU_COSTS } from "@stowage/backend-cpu";
import { genericCosts } from "@stowage/backend-cuda-generic";
import { STRIDED_COSTS } from "@stowage/backend-cuda-strided";
import { DMA_COSTS } from "@stowage/backend-dma";
import { X64_COSTS } from "@stowage/backend-x64";
import { modeOf, type ResultRow } from "@stowage/bench";
import { canonicalise, lower, type Layout } from "@stowage/ir";
import {
  fitFigures,
  fitThreads,
  type Fitted,
  MODELS_VERSION,
  PROFILE_SCHEMA,
  type GridPoint,
  type MeasuredCall,
  type ProfileDocument,
  type ProfiledMachine,
  type SharedCall,
} from "@stowage/selector";
import { conditionsOf } from "./candidates.js";
import { cacheBytes } from "./cache-bytes.js";

const DEVICE_MODELS: readonly (readonly [name: string, model: CostModel])[] = [
  ["cuda-generic", genericCosts("generic")],
  ["cuda-generic-specialised", genericCosts("specialised")],
  ["cuda-strided", STRIDED_COSTS],
  ["dma", DMA_COSTS],
];

/** The profile that some measured rows make. */
export function profileOfRows(
  rows: readonly ResultRow[],
  grid: readonly GridPoint[],
  machine: ProfiledMachine,
  noise: number,
  routes?: Figures,
): ProfileDocument {
  const layouts = new Map(grid.map(({ name, datatype }) => [name, canonicalise(lower(datatype))]));
  const calls = (contender: string): readonly MeasuredCall[] =>
    rows.filter((row) => row.contender === contender && modeOf(row) === "call").flatMap((row) => callOf(row, layouts));
  const known = { ...cacheBytes(), cores: machine.cores };
  const [x64, cpu] = [calls("x64"), calls("cpu")];
  // Whoever touches memory pays the same for it: machine code shows it best.
  const model = x64.length === 0 ? CPU_COSTS : X64_COSTS;
  const { host, fitted } = fitHost(model, x64.length === 0 ? cpu : x64, known);
  const figure = figuresOf({ machine: machine.cpu, figures: { host } }, "host");
  const figures: Record<string, Figures> = { host: { ...host, ...fitted.traffic } };
  if (x64.length > 0) figures["x64"] = { ...fitted.figures, ...fitThreads(sharedCalls(rows)) };
  figures["cpu"] = x64.length === 0 ? fitted.figures : fitFigures(CPU_COSTS, cpu, figure, fitted.traffic).figures;
  for (const [name, model] of DEVICE_MODELS) {
    const measured = calls(name);
    if (measured.length > 0) figures[name] = fitFigures(model, measured, figure).figures;
  }
  if (routes !== undefined) figures["routes"] = routes;
  return { schema: PROFILE_SCHEMA, models: MODELS_VERSION, date: new Date().toISOString(), machine, noise, figures };
}

/** What of the last level's cache this machine gets: others may share it. */
const LLC_SHARES = [1, 1 / 2, 1 / 4, 1 / 8];

/** Figures of the calls by themselves and of the memory, with the share of the last level that explains them best. */
function fitHost(model: CostModel, calls: readonly MeasuredCall[], known: Figures): { host: Figures; fitted: Fitted } {
  const shipped = figuresOf(UNCALIBRATED, "host")("llcBytes");
  const fits = LLC_SHARES.map((share) => {
    const host = { ...known, llcBytes: Math.round(share * (known["llcBytes"] ?? shipped)) };
    const fitted = fitFigures(model, calls, figuresOf({ machine: "", figures: { host } }, "host"));
    const { figures } = fitted;
    return { host, fitted, error: (figures["pack.uncertainty"] ?? 0) + (figures["unpack.uncertainty"] ?? 0) };
  });
  return fits.reduce((best, each) => (each.error < best.error ? each : best));
}

function callOf(row: ResultRow, layouts: ReadonlyMap<string, Layout>): readonly MeasuredCall[] {
  const layout = layouts.get(row.workload);
  const { direction, route } = row;
  if (layout === undefined || direction === "copy") return [];
  if (route !== "host" && route !== "device" && route !== "one-shot") return [];
  const { count, medianNs, commitNs } = row;
  return [
    { layout, count, direction, conditions: conditionsOf({ direction, count }, route), runNs: medianNs, commitNs },
  ];
}

/** Launches that were measured on one thread and on several. */
function sharedCalls(rows: readonly ResultRow[]): readonly SharedCall[] {
  const keyOf = (row: ResultRow): string => `${row.workload} ${row.direction} ${modeOf(row)}`;
  const alone = new Map(rows.filter(({ contender }) => contender === "x64").map((row) => [keyOf(row), row]));
  return rows.flatMap((row) => {
    const threads = /^x64 \((\d+) threads\)$/.exec(row.contender)?.[1];
    const single = alone.get(keyOf(row));
    if (threads === undefined || single === undefined) return [];
    const times = { aloneNs: single.medianNs, sharedNs: row.medianNs, commitRatio: row.commitNs / single.commitNs };
    return [{ mode: modeOf(row), threads: Number(threads), ...times }];
  });
}
