import { bandwidth, formatBytes, formatNs, modeOf, significant } from "@stowage/bench";
import { peersText } from "../tables/peers-text.js";
import { partsOf } from "../tables/ratios.js";
import { cell, code, markdownTable } from "@stowage/bench/results";
import { machineName, machinesOf, type Run } from "./run.js";
import type { SpeedUp } from "./summary.js";

/** The tables of a report, as Markdown. Where there are several machines, each line says which. */
export function reportMarkdown(runs: readonly Run[], speedUps: readonly SpeedUp[]): string {
  const several = machinesOf(runs).length > 1;
  const compared = runs.filter(({ rows }) => partsOf(rows).mpis.length > 0);
  return [
    ...runs.map(provenance),
    speedUpTable(speedUps, several),
    ...compared.map(({ rows }) => `\`\`\`\n${peersText(rows)}\n\`\`\``),
    cellTable(runs, several),
  ].join("\n\n");
}

function provenance({ command, date, commit, machine }: Run): string {
  const driver = machine.gpu === null ? "" : ` (driver ${machine.driver ?? "unknown"})`;
  const where = cell(`${machineName(machine)}${driver}, Node ${machine.node}`);
  return `${code(command)}, ${cell(date.slice(0, 10))}, commit ${cell(commit)}, ${where}`;
}

/** The machine's column leads where there is more than one. */
const withMachine = (several: boolean, machine: string, others: readonly string[]): readonly string[] =>
  several ? [machine, ...others] : others;

function speedUpTable(speedUps: readonly SpeedUp[], several: boolean): string {
  const columns = ["contender", "over", "direction", "mode", "cells", "geometric mean", "least"];
  return markdownTable(
    withMachine(several, "machine", columns),
    speedUps.map(({ machine, contender, against, direction, mode, cells, geometricMean, least }) =>
      withMachine(several, machine, [
        contender,
        against,
        direction,
        mode,
        String(cells),
        `${significant(geometricMean)} x`,
        `${significant(least.ratio)} x (${least.workload}, ${formatBytes(least.packedBytes)})`,
      ]),
    ),
  );
}

function cellTable(runs: readonly Run[], several: boolean): string {
  const columns = ["workload", "count", "packed", "direction", "route", "mode", "contender"];
  const times = ["median", "min to max", "GB/s", "commit"];
  const lines = runs.flatMap(({ machine, rows }) =>
    rows.map((row) =>
      withMachine(several, machineName(machine), [
        row.workload,
        String(row.count),
        formatBytes(row.packedBytes),
        row.direction,
        row.route,
        modeOf(row),
        row.contender,
        formatNs(row.medianNs),
        `${formatNs(row.minNs)} to ${formatNs(row.maxNs)}`,
        significant(bandwidth(row)),
        row.commitNs === 0 ? "-" : formatNs(row.commitNs),
      ]),
    ),
  );
  return markdownTable(withMachine(several, "machine", [...columns, ...times]), lines);
}
