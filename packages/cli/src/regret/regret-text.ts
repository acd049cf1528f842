import { formatBytes, grouped } from "@stowage/bench";
import { align } from "../tables/align.js";
import { breakEvenTable } from "./break-even-table.js";
import type { RegretRow } from "./cell-regret.js";
import { errorTable } from "./error-table.js";
import type { PredictedRow } from "./predicted-row.js";
import { quantilesOf, type Quantiles } from "./quantiles.js";

/** Regret by mode and uses; tiering; prediction error by group and direction; how many calls repay each commit. */
export function regretText(rows: readonly RegretRow[], ways: readonly PredictedRow[]): string {
  return [regretTable(rows), tieringTable(rows), errorTable(ways), breakEvenTable(ways), worstTable(rows)].join("\n\n");
}

const texts = ({ median, p95, worst }: Quantiles): readonly string[] => [median, p95, worst].map((v) => v.toFixed(2));
/** Behind the list is who takes so much longer. */
const BEHIND = 1.02;

function regretTable(rows: readonly RegretRow[]): string {
  const line = (name: string, same: readonly RegretRow[]): readonly string[] => {
    const [median, p95, worst] = texts(quantilesOf(same.map(({ listRegret }) => listRegret)));
    return [
      name,
      String(same.length),
      ...texts(quantilesOf(same.map(({ regret }) => regret))),
      `  ${median}`,
      ...[p95 ?? "", worst ?? ""],
      `  ${same.filter(({ overList }) => overList > BEHIND).length}`,
      String(same.filter(({ overList }) => overList < 1 / BEHIND).length),
    ];
  };
  const groups = grouped(rows, ({ route, mode, uses }) => `${route}, ${mode}, ${uses}`);
  return align([
    [
      "route, mode, uses",
      "cells",
      "regret median",
      "p95",
      "worst",
      "list median",
      "p95",
      "worst",
      "behind it",
      "before",
    ],
    ...[...groups].map(([name, same]) => line(name, same)),
    line("all", rows),
  ]);
}

/** Sequences of calls whose number nobody told: their time over that of the best way that knew it. */
function tieringTable(rows: readonly RegretRow[]): string {
  const known = rows.filter(({ tieringRegret }) => !Number.isNaN(tieringRegret));
  const share = (same: readonly RegretRow[], most: number): string =>
    `${((100 * same.filter(({ tieringRegret }) => tieringRegret <= most).length) / same.length).toFixed(0)} %`;
  const lines = [...grouped(known, ({ route, mode, uses }) => `${route}, ${mode}, ${uses}`)].map(([name, same]) => [
    name,
    ...texts(quantilesOf(same.map(({ tieringRegret }) => tieringRegret))),
    ...[1.05, 1.25, 2].map((most) => share(same, most)),
  ]);
  return align([["counting uses", "median", "p95", "worst", "within 5 %", "25 %", "twice"], ...lines]);
}

const WORST_SHOWN = 12;

function worstTable(rows: readonly RegretRow[]): string {
  const worst = [...rows].sort((a, b) => b.regret - a.regret).slice(0, WORST_SHOWN);
  const lines = worst.map(({ workload, packedBytes, direction, route, mode, uses, chosen, best, regret }) => [
    `${workload} ${formatBytes(packedBytes)} ${direction} ${route} ${mode}`,
    ...[String(uses), chosen, best, regret.toFixed(2)],
  ]);
  return align([["worst choices", "uses", "chosen", "best", "regret"], ...lines]);
}
