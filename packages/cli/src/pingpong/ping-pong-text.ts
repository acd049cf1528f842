import { formatBytes, formatNs, significant } from "@stowage/bench";
import { align } from "../tables/align.js";
import { BYTES, MANUAL, NATIVE } from "./c-contenders.js";
import { cellsOfRows, gainOf, ratioIn, type Cell, type Gain } from "./gains.js";
import type { PingPongRow } from "./row.js";

/** Prabhu and Gropp 2017, figures 10 and 11: over the MPI's own datatypes, and over packing by hand. */
export function pingPongText(rows: readonly PingPongRow[]): string {
  const cells = cellsOfRows(rows);
  const contenders = [...new Set(rows.map(({ contender }) => contender))].filter((name) => name !== BYTES);
  const others = contenders.filter((name) => name !== NATIVE);
  const sections = [
    gainsText(others.flatMap((name) => gainOf(cells, name) ?? [])),
    speedUpsText(`times as fast as ${rows[0]?.mpi ?? "the MPI"}'s own datatypes`, cells, [...others, BYTES], NATIVE),
    speedUpsText("times as fast as packing by hand", cells, [...contenders.filter((name) => name !== MANUAL)], MANUAL),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

function gainsText(gains: readonly Gain[]): string {
  if (gains.length === 0) return "";
  const lines = gains.map(({ contender, mean, least, shareGained }) => [
    contender,
    String(mean.cells),
    significant(mean.geometricMean),
    least === undefined ? "-" : `${significant(least.ratio)} (${least.workload})`,
    shareGained === undefined ? "-" : `${(100 * shareGained).toFixed(0)} %`,
  ]);
  const head = [
    "to 1 MiB",
    "exchanges",
    "geometric mean over native",
    "least over 4 KiB",
    "gained of native less bytes",
  ];
  return align([head, ...lines]);
}

function speedUpsText(title: string, cells: readonly Cell[], contenders: readonly string[], against: string): string {
  const counted = cells.filter((cell) => cell.has(against));
  if (counted.length === 0 || contenders.length === 0) return "";
  const lines = counted.map((cell) => {
    const baseline = cell.get(against) as PingPongRow;
    const ratios = contenders.map((name) => {
      const ratio = ratioIn(cell, name, against);
      return ratio === undefined ? "-" : significant(ratio);
    });
    const chosen = cell.get("chosen")?.route ?? "-";
    return [baseline.workload, formatBytes(baseline.packedBytes), formatNs(baseline.medianNs), ...ratios, chosen];
  });
  return `${title}\n${align([["exchange", "packed", against, ...contenders, "route chosen"], ...lines])}`;
}
