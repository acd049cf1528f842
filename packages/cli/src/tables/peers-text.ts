import { bandwidth, formatBytes, formatNs, grouped, meanOf, modeOf, significant, type ResultRow } from "@stowage/bench";
import { align } from "./align.js";
import { fragmentsText } from "./fragments-text.js";
import { leadingRows } from "./leading-mode.js";
import { BETTER_MPI, cellRatios, partsOf, sizeClass, type CellRatio, type Parts } from "./ratios.js";
import { nameOf } from "./workload-rows.js";

/** What a comparison found: ratios first, then times, the other mode, fragments, and what datatypes cost to make. */
export function peersText(rows: readonly ResultRow[]): string {
  const parts = partsOf(rows);
  const leading = leadingRows(rows);
  const others = rows.filter((row) => !leading.includes(row));
  const sections = [
    ...parts.ours.flatMap((ours) => [meansText(leading, ours, parts), cellsText(leading, ours, parts)]),
    ...parts.ours.map((ours) => meansText(others, ours, parts)),
    fragmentsText(rows),
    commitsText(rows),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

const titled = (title: string, lines: readonly (readonly string[])[]): string => `${title}\n${align(lines)}`;

/** The order of columns: against whom, the better MPI first. */
const columnsOf = ({ mpis, baselines }: Parts): readonly string[] => [
  ...(mpis.length === 0 ? [] : [BETTER_MPI]),
  ...mpis,
  ...baselines,
];

function meansText(rows: readonly ResultRow[], ours: string, parts: Parts): string {
  const ratios = cellRatios(rows, ours, parts);
  const columns = columnsOf(parts);
  const groups = grouped(
    ratios,
    ({ cell }) => `${String(sizeClass(cell.packedBytes)).padStart(16)} ${cell.direction} ${modeOf(cell)}`,
  );
  const lines = [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => {
      const { cell } = group[0] as CellRatio;
      const cells = new Set(group.map((one) => one.cell)).size;
      const label = `about ${formatBytes(sizeClass(cell.packedBytes))}`;
      return [
        label,
        cell.direction,
        modeOf(cell),
        String(cells),
        ...columns.map((against) => meanText(group, against)),
      ];
    });
  if (lines.length === 0) return "";
  const title = `times as fast as: ${ours} against each peer; geometric mean over cells (least)`;
  return titled(title, [["packed", "direction", "mode", "cells", ...columns], ...lines]);
}

function meanText(ratios: readonly CellRatio[], against: string): string {
  const mean = meanOf(ratios.filter((one) => one.against === against).map(({ ratio }) => ratio));
  return mean === undefined ? "-" : `${significant(mean.geometricMean)} (${significant(mean.least)})`;
}

function cellsText(rows: readonly ResultRow[], ours: string, parts: Parts): string {
  const columns = columnsOf(parts);
  const cells = grouped(cellRatios(rows, ours, parts), ({ cell }) => cell);
  const lines = [...cells.entries()].map(([cell, ratios]) => {
    const ratioOf = (against: string): string => {
      const found = ratios.find((one) => one.against === against);
      return found === undefined ? "-" : significant(found.ratio);
    };
    return [
      nameOf(cell),
      formatBytes(cell.packedBytes),
      cell.direction,
      modeOf(cell),
      ...columns.map(ratioOf),
      significant(bandwidth(cell)),
    ];
  });
  if (lines.length === 0) return "";
  return titled(`times as fast as, cell by cell: ${ours}`, [
    ["workload", "packed", "direction", "mode", ...columns, "GB/s"],
    ...lines,
  ]);
}

/** Prabhu and Gropp 2017, figure 9: what each contender needs to make, commit and free a datatype. */
export function commitsText(rows: readonly ResultRow[]): string {
  const timed = rows.filter(({ createNs, direction }) => createNs !== undefined && direction === "pack");
  const made = timed.filter(({ contender }) => !contender.includes("@"));
  const names = [...new Set(made.map(({ contender }) => contender))];
  const cells = grouped(made, (row) => `${nameOf(row)} ${row.packedBytes}`);
  const lines = [...cells.values()].map((group) => {
    const [first] = group as [ResultRow];
    const timesOf = (name: string): string => {
      const row = group.find(({ contender }) => contender === name);
      return row === undefined
        ? "-"
        : [row.createNs, row.commitNs, row.freeNs].map((ns) => formatNs(ns ?? NaN)).join(" + ");
    };
    return [nameOf(first), formatBytes(first.packedBytes), ...names.map(timesOf)];
  });
  if (lines.length === 0) return "";
  return titled("create + commit + free", [["workload", "packed", ...names], ...lines]);
}
