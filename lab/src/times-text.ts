import { formatNs, grouped, meanOf, significant, type AnyRow } from "@stowage/bench";
import { markdownTable } from "@stowage/bench/results";

const LABELS = ["mpi", "workload", "packedBytes", "direction", "packed", "backend", "call", "alignment"];

/** A cell's times, contender by contender: as many as a cell has, one line a cell. */
export function timesText(rows: readonly AnyRow[]): string {
  const timed = rows.filter(({ medianNs }) => typeof medianNs === "number");
  if (timed.length === 0) return `${rows.length} rows`;
  const names = [...new Set(timed.map(({ contender }) => contender))];
  const columns = LABELS.filter((name) => new Set(timed.map((row) => row[name])).size > 1 || name === "workload");
  const cells = [...grouped(timed, (row) => JSON.stringify(LABELS.map((name) => row[name]))).values()];
  const lines = cells.map((cell) => [
    ...columns.map((name) => shown(cell[0]?.[name])),
    ...names.map((name) => timeOf(cell, name)),
  ]);
  return [markdownTable([...columns, ...names], lines), meansText(cells, names)]
    .filter((text) => text !== "")
    .join("\n\n");
}

const shown = (value: unknown): string =>
  typeof value === "string" || typeof value === "number"
    ? String(value)
    : value === undefined
      ? "-"
      : JSON.stringify(value);

const medianOf = (cell: readonly AnyRow[], name: string): number | undefined =>
  cell.find(({ contender }) => contender === name)?.["medianNs"] as number | undefined;

function timeOf(cell: readonly AnyRow[], name: string): string {
  const ns = medianOf(cell, name);
  return ns === undefined ? "-" : formatNs(ns);
}

/** How many times as fast the first contender is as each other, over all cells that have both. */
export function meansText(cells: readonly (readonly AnyRow[])[], names: readonly string[]): string {
  const [first = "", ...others] = names;
  return others
    .flatMap((other) => {
      const ratios = cells.flatMap((cell) => {
        const [own, its] = [medianOf(cell, first), medianOf(cell, other)];
        return own === undefined || its === undefined ? [] : [its / own];
      });
      const mean = meanOf(ratios);
      if (mean === undefined) return [];
      const [average, least, greatest] = [mean.geometricMean, mean.least, mean.greatest].map(significant);
      return [`${first} is ${average} times as fast as ${other} over ${mean.cells} cells (${least} to ${greatest})`];
    })
    .join("\n");
}
