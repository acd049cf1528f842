import { formatBytes, grouped, modeOf, significant } from "@stowage/bench";
import { align } from "../tables/align.js";
import type { PredictedRow } from "./predicted-row.js";

/**
 * Calls after which each way has repaid its commit beside who commits soonest: as measured, and as predicted. Plans
 * where no calls were.
 */
export function breakEvenTable(ways: readonly PredictedRow[]): string {
  const ofCalls = ways.filter(({ row }) => modeOf(row) === "call");
  const calls = ofCalls.length > 0 ? ofCalls : ways;
  const cells = grouped(calls, ({ row }) => [row.workload, row.packedBytes, row.direction, row.route].join());
  const lines = [...cells.values()].flatMap((same) => {
    const soonest = same.reduce((a, b) => (b.row.commitNs < a.row.commitNs ? b : a));
    return same.flatMap((way) => {
      const measured = callsThatRepay(way.row.commitNs - soonest.row.commitNs, soonest.row.medianNs - way.row.medianNs);
      if (way === soonest || measured === undefined) return [];
      const foretold = callsThatRepay(way.commitNs - soonest.commitNs, soonest.runNs - way.runNs);
      const { workload, packedBytes, direction, route, contender } = way.row;
      const name = `${workload} ${formatBytes(packedBytes)} ${direction}${route === "host" ? "" : ` ${route}`}`;
      const over = `${contender} over ${soonest.row.contender}`;
      return [[name, over, significant(measured), foretold === undefined ? "-" : significant(foretold)]];
    });
  });
  return align([["calls that repay the commit", "of", "measured", "predicted"], ...lines]);
}

const callsThatRepay = (commitNs: number, savedNs: number): number | undefined =>
  savedNs <= 0 ? undefined : Math.max(1, commitNs / savedNs);
