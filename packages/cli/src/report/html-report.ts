import { bandwidth, grouped, meanOf, modeOf, outputFile, significant, type ResultRow } from "@stowage/bench";
import { reportPage, type ReportChange, type ReportRow } from "@stowage/explorer";
import { titleOf } from "./figures/palette.js";
import { headlineOf } from "./headline.js";
import { changesOver } from "./over.js";
import { machineName, type Run } from "./run.js";

/**
 * Writes one page that holds all of the runs, and needs nothing else. `earlier`: what the first run is compared with.
 */
export function writeHtml(path: string, runs: readonly Run[], earlier: Run | undefined): void {
  const shown = earlier === undefined ? runs : [...runs, earlier];
  const [first] = runs;
  const page = reportPage({
    headline: first !== undefined && earlier !== undefined ? sinceText(first, earlier) : runs.map(headlineOf),
    runs: shown.map(({ file, machine, date, commit, command }) => ({
      ...{ file, date, commit, command },
      machine: machineName(machine),
    })),
    rows: shown.flatMap(({ rows }, run) => rows.map((row) => reportRow(row, run))),
    changes: first === undefined || earlier === undefined ? [] : changesOver(first, earlier).map(reportChange),
  });
  outputFile(path, "--html").write(page);
}

/** What changed since an earlier run, a line a contender; of another machine nothing can be said of times. */
function sinceText(run: Run, earlier: Run): readonly string[] {
  const changes = changesOver(run, earlier).filter(({ ratio }) => ratio !== undefined);
  if (changes.length === 0) return [`${run.file} beside ${earlier.file}: no cells of one machine`];
  return [...grouped(changes, ({ row }) => row.contender)].map(([contender, own]) => {
    const mean = meanOf(own.map(({ ratio }) => ratio as number));
    const speed = mean === undefined ? "-" : significant(mean.geometricMean);
    return `${contender} is ${speed} times as fast as in ${earlier.file}, in the geometric mean of ${own.length} cells`;
  });
}

function reportRow(row: ResultRow, run: number): ReportRow {
  const { workload, packedBytes, direction, route, contender, medianNs, minNs, maxNs, commitNs } = row;
  const names = { workload, packedBytes, direction, route, mode: modeOf(row), contender: titleOf(contender) };
  return { run, ...names, medianNs, minNs, maxNs, commitNs, bandwidth: bandwidth(row) };
}

function reportChange({ row, before, ratio }: ReturnType<typeof changesOver>[number]): ReportChange {
  const { workload, packedBytes, direction, contender } = row;
  const names = { workload, packedBytes, direction, mode: modeOf(row), contender: titleOf(contender) };
  return { ...names, beforeNs: before.medianNs, nowNs: row.medianNs, ratio: ratio ?? null };
}
