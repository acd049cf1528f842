import { cellKey, formatBytes, formatNs, meanOf, modeOf, significant, type ResultRow } from "@stowage/bench";
import { markdownTable } from "@stowage/bench/results";
import { machineName, type Run } from "./run.js";

/** One contender on one cell, in a run and in an earlier one. */
export interface Change {
  readonly row: ResultRow;
  readonly before: ResultRow;
  /** How many times as fast as before; undefined where the machines differ, for times of two are never divided. */
  readonly ratio: number | undefined;
}

/** What every contender gained or lost on each cell since another run. */
export function changesOver(run: Run, earlier: Run): readonly Change[] {
  const before = new Map(earlier.rows.map((row) => [keyOf(row), row]));
  const same = machineName(run.machine) === machineName(earlier.machine);
  return run.rows.flatMap((row) => {
    const old = before.get(keyOf(row));
    return old === undefined ? [] : [{ row, before: old, ratio: same ? old.medianNs / row.medianNs : undefined }];
  });
}

const keyOf = (row: ResultRow): string => `${cellKey(row)} ${row.contender}`;

/** As Markdown: the mean of each contender first, then every cell. */
export function overMarkdown(run: Run, earlier: Run): string {
  const changes = changesOver(run, earlier);
  const [here, there] = [machineName(run.machine), machineName(earlier.machine)];
  const note =
    here === there
      ? `${run.file} over ${earlier.file}, both on ${here}`
      : `${run.file} is of ${here}, ${earlier.file} of ${there}: times of two machines stand side by side, and are not divided`;
  if (changes.length === 0) return `${note}\n\nno cell is in both`;
  const means = [...new Set(changes.map(({ row }) => row.contender))].map((contender) => {
    const own = changes.filter(({ row }) => row.contender === contender);
    const mean = meanOf(own.flatMap(({ ratio }) => ratio ?? []));
    return [contender, String(own.length), mean === undefined ? "-" : `${significant(mean.geometricMean)} x`];
  });
  const cells = changes.map(({ row, before, ratio }) => [
    row.workload,
    formatBytes(row.packedBytes),
    row.direction,
    modeOf(row),
    row.contender,
    formatNs(before.medianNs),
    formatNs(row.medianNs),
    ratio === undefined ? "-" : `${significant(ratio)} x`,
  ]);
  return [
    note,
    markdownTable(["contender", "cells", "times as fast"], means),
    markdownTable(["workload", "packed", "direction", "mode", "contender", "before", "now", "times as fast"], cells),
  ].join("\n\n");
}
