import { grouped, modeOf } from "@stowage/bench";
import { align } from "../tables/align.js";
import type { PredictedRow } from "./predicted-row.js";
import { quantilesOf } from "./quantiles.js";

/** How far predicted calls are off, by workload group and direction, and of all; commits beside them. */
export function errorTable(ways: readonly PredictedRow[]): string {
  const ofCalls = ways.filter(({ row }) => modeOf(row) === "call");
  const calls = ofCalls.length > 0 ? ofCalls : ways;
  const by = (groupOf: (way: PredictedRow) => string): readonly (readonly string[])[] =>
    [...grouped(calls, groupOf)].map(([name, same]) => lineOf(name, same));
  return align([
    ["prediction error of", "cells", "median |%|", "bias %", "commit median |%|", "bias %"],
    ...by(({ row }) => `${row.contender}, ${groupOf(row.workload)}, ${row.direction}`),
    ...by(({ row }) => `${row.contender}, all, ${row.direction}`),
  ]);
}

/** MILC_su3_zdown/3 is of MILC, face-64-xy of face. */
const groupOf = (workload: string): string => workload.split(/[_/-]/)[0] ?? workload;

function lineOf(name: string, ways: readonly PredictedRow[]): readonly string[] {
  const runs = ways.map(({ row, runNs }) => runNs / row.medianNs - 1);
  const commits = ways.map(({ row, commitNs }) => commitNs / row.commitNs - 1);
  const percent = (values: readonly number[]): string => (100 * quantilesOf(values).median).toFixed(0);
  const both = (errors: readonly number[]): readonly string[] => [percent(errors.map(Math.abs)), percent(errors)];
  return [name, String(ways.length), ...both(runs), ...both(commits)];
}
