import type { TopLevelSpec } from "vega-lite";
import { operationPoints, partialPoints, type LatencyPoint, type PackPoint } from "./latency.js";
import { BASELINES, whereText } from "./applications-text.js";
import type { ApplicationRow, StencilRow, VectorRow } from "./row.js";

/** Specifications by the names of their files. */
type Plots = Readonly<Record<string, TopLevelSpec>>;

const PANEL = { width: 320, height: 220 };
const CONFIG = { view: { stroke: "#d5dbe1" }, legend: { labelLimit: 0 } };
const BYTES_LABEL =
  "datum.value < 1024 ? datum.value + ' B' : datum.value < 1048576 ? datum.value / 1024 + ' KiB' : datum.value / 1048576 + ' MiB'";
const bytesAxis = (title: string) => ({
  type: "quantitative" as const,
  title,
  scale: { type: "log" as const, base: 2 },
  axis: { labelExpr: BYTES_LABEL, labelOverlap: "greedy" as const },
});
const MICROSECONDS = {
  field: "us",
  type: "quantitative" as const,
  title: "microseconds",
  scale: { type: "log" as const },
};
const SERIES = { field: "series", type: "nominal" as const, title: null };
const lineMark = { type: "line" as const, point: { size: 18 } };

/** TEMPI's figures 9, 11 and 12, and the ping-pong of TPDS figure 6: nothing where nothing was measured of one. */
export function applicationPlots(rows: readonly ApplicationRow[]): Plots {
  const stencils = rows.filter((row): row is StencilRow => row.application === "stencil-3d");
  const vectors = rows.filter((row): row is VectorRow => row.application === "vectors");
  const operations = operationPoints(rows);
  const plots: readonly Plots[] = [
    ofPoints("tempi-9a-operations", "four operations", operations),
    ofPoints("tempi-9b-partial-models", "equations 1 to 3 without packing", partialPoints(operations)),
    sendPlot(vectors),
    normalisedPlot(vectors),
    phasesPlot(stencils),
    speedUpPlot(stencils),
    pingPongPlot(vectors),
  ];
  return Object.fromEntries(plots.flatMap((plot) => Object.entries(plot)));
}

const us = <Point extends LatencyPoint>(points: readonly Point[]) =>
  points.map((point) => ({ ...point, us: point.ns / 1000 }));

function ofPoints(name: string, title: string, points: readonly LatencyPoint[]): Plots {
  if (points.length === 0) return {};
  const encoding = { x: { field: "bytes", ...bytesAxis("bytes") }, y: MICROSECONDS, color: SERIES };
  return {
    [name]: { title, ...PANEL, data: { values: us(points) }, mark: lineMark, encoding, config: CONFIG },
  };
}

/** TEMPI's figure 10. */
export function packPlot(points: readonly PackPoint[]): Plots {
  if (points.length === 0) return {};
  const specification: TopLevelSpec = {
    title: "pack and unpack by the profile, by bytes of the object",
    data: { values: us(points) },
    facet: { field: "bytes", type: "nominal", title: null, header: { labelExpr: BYTES_LABEL } },
    columns: 3,
    spec: {
      ...{ width: 220, height: 150 },
      mark: lineMark,
      encoding: { x: { field: "blockBytes", ...bytesAxis("bytes of a block") }, y: MICROSECONDS, color: SERIES },
    },
    config: CONFIG,
  };
  return { "tempi-10-pack-latency": specification };
}

/** The sizes of TEMPI's figure 11. */
const SENT_BYTES = [1024, 2 ** 20, 2 ** 22];

const sentValues = (rows: readonly VectorRow[]) =>
  rows
    .filter(({ packedBytes }) => SENT_BYTES.includes(packedBytes))
    .flatMap((row) => {
      const ours = Object.entries(row.ways).filter(([way]) => way !== "baseline");
      const best = Math.min(...ours.map(([, { medianNs }]) => medianNs));
      return Object.entries(row.ways).map(([series, { medianNs }]) => ({
        ...{ series, bytes: row.packedBytes, blockBytes: row.blockBytes, where: whereText(row) },
        ...{ us: medianNs / 1000, normalised: medianNs / best },
      }));
    });

function bars(name: string, title: string, values: readonly object[], y: object): Plots {
  if (values.length === 0) return {};
  const specification: TopLevelSpec = {
    title,
    data: { values: [...values] },
    facet: {
      row: { field: "where", type: "nominal", title: null },
      column: { field: "bytes", type: "nominal", title: null, header: { labelExpr: BYTES_LABEL } },
    },
    spec: {
      ...{ width: 260, height: 170 },
      mark: "bar",
      encoding: {
        x: { field: "blockBytes", type: "ordinal", title: "bytes of a block" },
        xOffset: { field: "series" },
        y: { type: "quantitative", ...y },
        color: SERIES,
      },
    },
    config: CONFIG,
  };
  return { [name]: specification };
}

/** Bars of a logarithm begin at one microsecond. */
const sendPlot = (rows: readonly VectorRow[]): Plots =>
  bars("tempi-11a-send", "a send and its receive, one way", sentValues(rows), {
    field: "us",
    title: "microseconds",
    scale: { type: "log", domainMin: 1 },
    stack: null,
  });

const normalisedPlot = (rows: readonly VectorRow[]): Plots =>
  bars(
    "tempi-11b-normalised",
    "over the quickest of our ways",
    sentValues(rows).filter(({ series }) => series !== "baseline"),
    { field: "normalised", title: "over the quickest" },
  );

const sizeOf = (row: StencilRow): string =>
  `${whereText(row)}, ${row.points}³${row.uneven ? ", uneven" : ""}, ${row.mpi}`;

function phasesPlot(rows: readonly StencilRow[]): Plots {
  const values = rows.flatMap((row) =>
    Object.entries(row.ways).flatMap(([way, { phases }]) =>
      (["pack", "exchange", "unpack"] as const).map((phase, order) => ({
        ...{ way, phase, order, ms: phases[phase], ranks: row.ranks, where: sizeOf(row) },
      })),
    ),
  );
  if (values.length === 0) return {};
  const specification: TopLevelSpec = {
    title: "3D stencil of 26 points: phases of the halo exchange",
    data: { values },
    facet: {
      row: { field: "where", type: "nominal", title: null },
      column: { field: "way", type: "nominal", title: null },
    },
    spec: {
      ...{ width: 200, height: 170 },
      mark: "bar",
      encoding: {
        x: { field: "ranks", type: "ordinal", title: "ranks" },
        y: { field: "ms", type: "quantitative", title: "milliseconds" },
        color: { field: "phase", type: "nominal", title: null, sort: ["pack", "exchange", "unpack"] },
        order: { field: "order" },
      },
    },
    config: CONFIG,
  };
  return { "tempi-12a-halo-phases": specification };
}

function speedUpPlot(rows: readonly StencilRow[]): Plots {
  const values = rows.flatMap((row) => {
    const baseline = BASELINES.flatMap((name) => row.ways[name] ?? [])[0];
    if (baseline === undefined) return [];
    return Object.entries(row.ways)
      .filter(([way]) => !BASELINES.includes(way))
      .map(([way, { haloMs }]) => ({
        ...{ series: way, ranks: row.ranks, where: sizeOf(row), speedUp: baseline.haloMs / haloMs },
      }));
  });
  if (values.length === 0) return {};
  const specification: TopLevelSpec = {
    title: "3D stencil of 26 points: halo exchange, times as fast as the baseline",
    data: { values },
    facet: { field: "where", type: "nominal", title: null },
    columns: 3,
    spec: {
      ...{ width: 220, height: 170 },
      mark: lineMark,
      encoding: {
        x: { field: "ranks", type: "ordinal", title: "ranks" },
        y: { field: "speedUp", type: "quantitative", title: "speed-up" },
        color: SERIES,
      },
    },
    config: CONFIG,
  };
  return { "tempi-12b-halo-speed-up": specification };
}

function pingPongPlot(rows: readonly VectorRow[]): Plots {
  const values = rows.flatMap((row) =>
    Object.entries(row.ways).map(([series, { medianNs }]) => ({
      ...{ series, bytes: row.packedBytes, us: medianNs / 1000 },
      panel: `${whereText(row)}, blocks of ${row.blockBytes} B`,
    })),
  );
  if (new Set(values.map(({ bytes }) => bytes)).size < 2) return {};
  const specification: TopLevelSpec = {
    title: "vectors between two ranks, one way",
    data: { values },
    facet: { field: "panel", type: "nominal", title: null },
    columns: 3,
    spec: {
      ...{ width: 220, height: 170 },
      mark: lineMark,
      encoding: { x: { field: "bytes", ...bytesAxis("packed size") }, y: MICROSECONDS, color: SERIES },
    },
    config: CONFIG,
  };
  return { "tpds-6-ping-pong": specification };
}
