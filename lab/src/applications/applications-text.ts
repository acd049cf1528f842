import { formatBytes } from "@stowage/bench";
import { markdownTable } from "@stowage/bench/results";
import type { ApplicationRow, StencilRow, VectorRow } from "./row.js";

/** The papers' tables: TEMPI's figures 11 and 12, TPDS figure 6 and table 3. */
export function applicationsText(rows: readonly ApplicationRow[]): string {
  const stencils = rows.filter((row): row is StencilRow => "flopsPerPoint" in row);
  const sections = [
    section(
      "3D stencil of 26 points: phases of the halo exchange, milliseconds (TEMPI, figure 12)",
      halos(stencils, "stencil-3d"),
    ),
    section("2D stencil of 9 points: GFLOPS a rank (TPDS table 3)", gflops(stencils)),
    section("2D stencil of 9 points: phases of the halo exchange, milliseconds", halos(stencils, "stencil-2d")),
    section(
      "Vectors, one way between two ranks, microseconds (TPDS figure 6, Cluster figure 7, TEMPI figure 11)",
      vectors(rows),
    ),
  ];
  return sections.filter((text) => text !== "").join("\n\n");
}

const section = (title: string, table: string): string => (table === "" ? "" : `${title}\n\n${table}`);

/** Where it ran. */
export const whereText = ({ where, gpus }: ApplicationRow): string =>
  where === "host" ? "host" : `${where === "simulated" ? "simulated, " : ""}${gpus} GPU${gpus === 1 ? "" : "s"}`;

function halos(all: readonly StencilRow[], name: StencilRow["application"]): string {
  const rows = all.filter(({ application }) => application === name);
  if (rows.length === 0) return "";
  const lines = rows.flatMap((row) =>
    Object.entries(row.ways).map(([way, { phases, haloMs, packAloneMs, unpackAloneMs }]) => {
      const [both, alone] = [phases.pack + phases.unpack, packAloneMs + unpackAloneMs];
      return [
        ...[whereText(row), row.mpi, String(row.ranks), sizeText(row), row.element, way],
        ...[phases.pack, phases.exchange, phases.unpack, haloMs].map(ms),
        way === "native" ? "-" : (both / alone).toFixed(2),
        speedUp(row, haloMs),
      ];
    }),
  );
  const head = ["where", "MPI", "ranks", "points", "element", "way", "pack", "exchange", "unpack", "halo"];
  return markdownTable([...head, "packs over launches alone", "speed-up"], lines);
}

const sizeText = ({ points, uneven, application }: StencilRow): string =>
  `${points}${application === "stencil-3d" ? "³" : "²"}${uneven ? ", uneven" : ""}`;

/** What others have without us: the last way. */
export const BASELINES = ["native", "copies"];

function speedUp({ ways }: StencilRow, haloMs: number): string {
  const baseline = BASELINES.flatMap((name) => ways[name] ?? [])[0];
  return baseline === undefined ? "-" : `${(baseline.haloMs / haloMs).toFixed(2)} x`;
}

const ms = (value: number): string => (value < 0.1 ? value.toFixed(4) : value.toFixed(3));

/** Whole iterations of a rank: floating-point operations over their time. */
export const gflopsOf = ({ points, flopsPerPoint }: StencilRow, overallMs: number): number =>
  (points ** 2 * flopsPerPoint) / (overallMs * 1e6);

function gflops(all: readonly StencilRow[]): string {
  const rows = all.filter(({ application, uneven }) => application === "stencil-2d" && !uneven);
  if (rows.length === 0) return "";
  const ways = [...new Set(rows.flatMap((row) => Object.keys(row.ways)))];
  const lines = rows.map((row) => [
    ...[whereText(row), row.mpi, String(row.ranks), sizeText(row), row.element],
    ...ways.map((way) => {
      const times = row.ways[way];
      return times === undefined ? "-" : gflopsOf(row, times.overallMs).toFixed(2);
    }),
  ]);
  return markdownTable(["where", "MPI", "ranks", "points a rank", "element", ...ways], lines);
}

function vectors(all: readonly ApplicationRow[]): string {
  const rows = all.filter((row): row is VectorRow => row.application === "vectors");
  if (rows.length === 0) return "";
  const ways = [...new Set(rows.flatMap((row) => Object.keys(row.ways)))];
  const lines = rows.map((row) => [
    ...[whereText(row), row.mpi, `${row.blockBytes} B`, formatBytes(row.packedBytes)],
    ...ways.map((way) => (row.ways[way] === undefined ? "-" : ((row.ways[way]?.medianNs ?? 0) / 1000).toFixed(1))),
    row.ways["automatic"]?.by ?? "-",
  ]);
  return markdownTable(["where", "MPI", "blocks", "packed", ...ways, "chosen"], lines);
}
