import { formatBytes, grouped, significant } from "@stowage/bench";
import { align } from "../tables/align.js";
import { type PredictedRow, type RegretRow } from "./cell-regret.js";

export interface Quantiles {
  readonly median: number;
  readonly p95: number;
  readonly worst: number;
}

export function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return { median: at(0.5), p95: at(0.95), worst: sorted.at(-1) ?? NaN };
}

const texts = ({ median, p95, worst }: Quantiles): readonly string[] => [median, p95, worst].map((v) => v.toFixed(2));

/** Regret by mode and uses; prediction error by group and direction; how many calls repay each compiled backend. */
export function regretText(rows: readonly RegretRow[], ways: readonly PredictedRow[]): string {
  return [regretTable(rows), errorTable(ways), breakEvenTable(ways), worstTable(rows)].join("\n\n");
}

function regretTable(rows: readonly RegretRow[]): string {
  const head = [
    "route, mode, uses",
    "cells",
    "median",
    "p95",
    "worst",
    "fixed list p95",
    "worst",
    "counting uses median",
    "worst",
  ];
  const lines = [...grouped(rows, ({ route, mode, uses }) => `${route}, ${mode}, ${uses}`)].map(([name, same]) => {
    const tiering = quantilesOf(same.map(({ tieringRegret }) => tieringRegret));
    const list = quantilesOf(same.map(({ listRegret }) => listRegret));
    const own = texts(quantilesOf(same.map(({ regret }) => regret)));
    return [
      name,
      String(same.length),
      ...own,
      ...texts(list).slice(1),
      tiering.median.toFixed(2),
      tiering.worst.toFixed(2),
    ];
  });
  const all = texts(quantilesOf(rows.map(({ regret }) => regret)));
  return align([head, ...lines, ["all", String(rows.length), ...all]]);
}

function errorTable(ways: readonly PredictedRow[]): string {
  const groupOf = ({ row }: PredictedRow): string =>
    `${row.contender}, ${row.workload.split(/[_/]/)[0] ?? ""}, ${row.direction}`;
  const lines = [...grouped(ways, groupOf)].map(([name, same]) => errorLine(name, same));
  const overall = [...grouped(ways, ({ row }) => `${row.contender}, all, ${row.direction}`)].map(([name, same]) =>
    errorLine(name, same),
  );
  return align([["prediction error of", "cells", "median |%|", "bias %"], ...lines, ...overall]);
}

function errorLine(name: string, ways: readonly PredictedRow[]): readonly string[] {
  const errors = ways.map(({ row, runNs }) => runNs / row.medianNs - 1);
  const percent = (values: readonly number[]): string => (100 * quantilesOf(values).median).toFixed(0);
  return [name, String(ways.length), percent(errors.map(Math.abs)), percent(errors)];
}

/** Calls after which x64, or whoever compiles longest, has repaid its commit beside who compiles soonest. */
function breakEvenTable(ways: readonly PredictedRow[]): string {
  const cells = grouped(ways, ({ row }) => [row.workload, row.packedBytes, row.direction, row.route, row.mode].join());
  const lines = [...cells.values()].flatMap((same) => {
    const soonest = same.reduce((a, b) => (b.row.commitNs < a.row.commitNs ? b : a));
    return same.flatMap((way) => {
      const savedNs = soonest.row.medianNs - way.row.medianNs;
      const foretold = (way.commitNs - soonest.commitNs) / (soonest.runNs - way.runNs);
      if (way === soonest || savedNs <= 0 || way.row.mode !== "call") return [];
      const calls = Math.max(1, (way.row.commitNs - soonest.row.commitNs) / savedNs);
      const { workload, packedBytes, direction, contender } = way.row;
      const name = `${workload} ${formatBytes(packedBytes)} ${direction}`;
      return [[name, contender, significant(calls), foretold > 0 ? significant(Math.max(1, foretold)) : "-"]];
    });
  });
  return align([["calls that repay the commit", "of", "measured", "predicted"], ...lines]);
}

const WORST_SHOWN = 10;

function worstTable(rows: readonly RegretRow[]): string {
  const worst = [...rows].sort((a, b) => b.regret - a.regret).slice(0, WORST_SHOWN);
  const lines = worst.map(({ workload, packedBytes, direction, mode, uses, chosen, best, regret }) => [
    ...[`${workload} ${formatBytes(packedBytes)} ${direction} ${mode}`, String(uses), chosen, best, regret.toFixed(2)],
  ]);
  return align([["worst choices", "uses", "chosen", "best", "regret"], ...lines]);
}
