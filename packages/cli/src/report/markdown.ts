import { bandwidth, formatBytes, formatNs, significant } from "@stowage/bench";
import { peersText } from "../tables/peers-text.js";
import { partsOf } from "../tables/ratios.js";
import type { ResultRow, Results } from "@stowage/bench";
import type { SpeedUp, Summary } from "./summary.js";

/** The tables of a report, as Markdown. */
export function reportMarkdown(results: readonly Results[], { speedUps, rows }: Summary): string {
  const peers = partsOf(rows).mpis.length === 0 ? [] : [`\`\`\`\n${peersText(rows)}\n\`\`\``];
  return [...results.map(provenance), speedUpTable(speedUps), ...peers, cellTable(rows)].join("\n\n");
}

function provenance({ command, date, commit, machine }: Results): string {
  const gpu = machine.gpu === null ? "" : `, ${machine.gpu} (driver ${machine.driver ?? "unknown"})`;
  return `\`${command}\`, ${date.slice(0, 10)}, commit ${commit}, ${machine.cores} cores of ${machine.cpu}${gpu}, Node ${machine.node}`;
}

function speedUpTable(speedUps: readonly SpeedUp[]): string {
  return table(
    ["contender", "over", "direction", "cells", "geometric mean", "least"],
    speedUps.map(({ contender, against, direction, cells, geometricMean, least }) => [
      contender,
      against,
      direction,
      String(cells),
      `${significant(geometricMean)} x`,
      `${significant(least.ratio)} x (${least.workload}, ${formatBytes(least.packedBytes)})`,
    ]),
  );
}

function cellTable(rows: readonly ResultRow[]): string {
  return table(
    ["workload", "count", "packed", "direction", "route", "contender", "median", "min to max", "GB/s", "commit"],
    rows.map((row) => [
      row.workload,
      String(row.count),
      formatBytes(row.packedBytes),
      row.direction,
      row.route,
      row.contender,
      formatNs(row.medianNs),
      `${formatNs(row.minNs)} to ${formatNs(row.maxNs)}`,
      significant(bandwidth(row)),
      row.commitNs === 0 ? "-" : formatNs(row.commitNs),
    ]),
  );
}

const table = (columns: readonly string[], lines: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
