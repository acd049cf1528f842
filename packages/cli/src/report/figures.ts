import { bandwidth, cellKey, type ResultRow } from "@stowage/bench";
import type { TopLevelSpec } from "vega-lite";
import { breakEven } from "./break-even.js";

/** A plot that a report can draw; undefined where the rows hold nothing to draw. */
export interface Figure {
  readonly name: string;
  readonly draw: (rows: readonly ResultRow[], against: string) => TopLevelSpec | undefined;
}

/** Every plot of `stowage report --plots`. */
export const FIGURES: readonly Figure[] = [
  { name: "bandwidth-over-size", draw: bandwidthOverSize },
  { name: "speed-up", draw: speedUps },
  { name: "commit-cost", draw: commitCosts },
  { name: "break-even", draw: breakEvens },
];

const COLOURS = ["#0c4a86", "#d1701f", "#2f8f4e", "#8a4fa3", "#b03a48", "#5c6b78"];
const COLOUR = { scale: { range: COLOURS }, title: "contender" };
const BYTES_AXIS = {
  labelExpr:
    "datum.value < 1024 ? datum.value + ' B' : datum.value < 1048576 ? datum.value / 1024 + ' KiB' : datum.value / 1048576 + ' MiB'",
  values: powersOfFour(),
};

function powersOfFour(): number[] {
  return Array.from({ length: 14 }, (_, i) => 4 ** (i + 3));
}

/** One small plot a family of workloads: a line a contender, by packed size. */
function bandwidthOverSize(rows: readonly ResultRow[]): TopLevelSpec | undefined {
  const values = rows.map((row) => ({ ...row, family: family(row.workload), gigabytesPerSecond: bandwidth(row) }));
  const sizes = new Set(values.map(({ packedBytes }) => packedBytes));
  if (sizes.size < 2) return undefined;
  return {
    data: { values },
    facet: { field: "family", type: "nominal", title: null },
    columns: 4,
    spec: {
      width: 200,
      height: 140,
      mark: { type: "line", point: { size: 18 } },
      encoding: {
        x: {
          field: "packedBytes",
          type: "quantitative",
          title: "packed size",
          scale: { type: "log", base: 2 },
          axis: { ...BYTES_AXIS, labelAngle: -40, labelOverlap: true },
        },
        y: { field: "gigabytesPerSecond", type: "quantitative", title: "GB/s", aggregate: "median" },
        color: { field: "contender", type: "nominal", ...COLOUR },
        strokeDash: {
          field: "direction",
          type: "nominal",
          title: "direction",
          legend: { symbolType: "stroke", symbolSize: 400 },
        },
      },
    },
    config: { view: { stroke: "#d5dbe1" } },
  };
}

/** MILC_su3_zdown/3 belongs to MILC_su3_zdown. */
const family = (workload: string): string => workload.split("/")[0] ?? workload;

/** Bars of how many times faster than `against` each contender is, a workload a line. */
function speedUps(rows: readonly ResultRow[], against: string): TopLevelSpec | undefined {
  const theirs = new Map(rows.filter(({ contender }) => contender === against).map((row) => [cellKey(row), row]));
  const values = rows.flatMap((row) => {
    const other = theirs.get(cellKey(row));
    return other === undefined || row.contender === against
      ? []
      : [{ ...row, family: family(row.workload), ratio: other.medianNs / row.medianNs }];
  });
  if (values.length === 0) return undefined;
  return {
    data: { values },
    facet: { field: "direction", type: "nominal", title: null },
    spec: {
      width: 320,
      height: { step: 16 },
      mark: "bar",
      encoding: {
        y: { field: "family", type: "nominal", title: null },
        yOffset: { field: "contender", type: "nominal" },
        x: {
          field: "ratio",
          type: "quantitative",
          aggregate: "median",
          title: `times as fast as ${against} (median over sizes)`,
        },
        color: { field: "contender", type: "nominal", ...COLOUR },
      },
    },
  };
}

/** What choosing and compiling cost, a workload a line. */
function commitCosts(rows: readonly ResultRow[]): TopLevelSpec | undefined {
  const values = rows
    .filter(({ commitNs, direction }) => commitNs > 0 && direction === "pack")
    .map((row) => ({ ...row, family: family(row.workload), commitUs: row.commitNs / 1e3 }));
  if (values.length === 0) return undefined;
  return {
    data: { values },
    width: 420,
    height: { step: 18 },
    mark: { type: "point", filled: true, size: 40, opacity: 0.7 },
    encoding: {
      y: { field: "family", type: "nominal", title: null },
      x: { field: "commitUs", type: "quantitative", scale: { type: "log" }, title: "commit (us), one point a size" },
      color: { field: "contender", type: "nominal", ...COLOUR },
    },
  };
}

/** How many calls repay the dearer commit of the faster contender, a workload a line (DAME paper, Figure 17). */
function breakEvens(rows: readonly ResultRow[]): TopLevelSpec | undefined {
  const values = breakEven(rows).map((entry) => ({ ...entry, family: family(entry.workload) }));
  if (values.length === 0) return undefined;
  return {
    data: { values },
    width: 420,
    height: { step: 18 },
    mark: { type: "point", filled: true, size: 40, opacity: 0.7 },
    encoding: {
      y: { field: "family", type: "nominal", title: null },
      x: {
        field: "calls",
        type: "quantitative",
        scale: { type: "log" },
        title: "calls until the compile is repaid, one point a size",
      },
      color: { field: "pair", type: "nominal", scale: { range: COLOURS }, title: null },
      shape: { field: "direction", type: "nominal", title: "direction" },
    },
  };
}
