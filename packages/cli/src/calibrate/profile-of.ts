import { figuresOf, type FigureOf, type Figures } from "@stowage/backend-api";
import { CPU_COSTS } from "@stowage/backend-cpu";
import { genericCosts } from "@stowage/backend-cuda-generic";
import { STRIDED_COSTS } from "@stowage/backend-cuda-strided";
import { DMA_COSTS } from "@stowage/backend-dma";
import { X64_COSTS } from "@stowage/backend-x64";
import type { CostModel } from "@stowage/backend-api";
import { modeOf, type ResultRow } from "@stowage/bench";
import { canonicalise, lower, type Layout } from "@stowage/ir";
import {
  fitFigures,
  fitThreads,
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
  const host: Record<string, number> = { ...cacheBytes(), cores: machine.cores };
  const figure: FigureOf = figuresOf({ machine: machine.cpu, figures: { host } }, "host");
  const figures: Record<string, Figures> = { host };
  const x64 = calls("x64");
  // Whoever touches memory pays the same for it: machine code shows it best.
  const fitted = x64.length === 0 ? undefined : fitFigures(X64_COSTS, x64, figure);
  if (fitted !== undefined) figures["x64"] = { ...fitted.figures, ...fitThreads(sharedCalls(rows)) };
  const cpu = fitFigures(CPU_COSTS, calls("cpu"), figure, fitted?.traffic);
  figures["cpu"] = cpu.figures;
  Object.assign(host, fitted?.traffic ?? cpu.traffic);
  for (const [name, model] of DEVICE_MODELS) {
    const measured = calls(name);
    if (measured.length > 0) figures[name] = fitFigures(model, measured, figure).figures;
  }
  if (routes !== undefined) figures["routes"] = routes;
  return { schema: PROFILE_SCHEMA, models: MODELS_VERSION, date: new Date().toISOString(), machine, noise, figures };
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
  const alone = new Map(rows.filter(({ contender }) => contender === "x64").map((row) => [keyOf(row), row.medianNs]));
  return rows.flatMap((row) => {
    const threads = /^x64 \((\d+) threads\)$/.exec(row.contender)?.[1];
    const aloneNs = alone.get(keyOf(row));
    if (threads === undefined || aloneNs === undefined) return [];
    return [{ mode: modeOf(row), threads: Number(threads), aloneNs, sharedNs: row.medianNs }];
  });
}
