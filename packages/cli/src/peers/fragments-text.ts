import { align } from "../bench/table.js";
import { significant } from "../print.js";
import { cellKey } from "../report/summary.js";
import type { ResultRow } from "../results/schema.js";
import { grouped } from "./grouped.js";
import { meanOf } from "./ratios.js";

/** What contenders lose by moving a cell in fragments instead of as a whole. Empty where none did. */
export function fragmentsText(rows: readonly ResultRow[]): string {
  const wholes = new Map(rows.map((row) => [`${cellKey(row)} ${row.contender}`, row]));
  const losses = rows.flatMap((row) => {
    const [name, fragment] = row.contender.split("@");
    const whole = fragment === undefined ? undefined : wholes.get(`${cellKey(row)} ${name}`);
    return whole === undefined ? [] : [{ contender: row.contender, row, ratio: row.medianNs / whole.medianNs }];
  });
  const lines = [...grouped(losses, ({ contender }) => contender).entries()].map(([contender, group]) => {
    const mean = meanOf(group.map(({ ratio }) => ratio))?.geometricMean ?? NaN;
    const worst = group.reduce((most, one) => (one.ratio > most.ratio ? one : most));
    const where = `${significant(worst.ratio)} (${worst.row.workload} ${worst.row.direction})`;
    return [contender, String(group.length), significant(mean), where];
  });
  if (lines.length === 0) return "";
  return `time in fragments over time as a whole\n${align([["contender", "cells", "geometric mean", "most"], ...lines])}`;
}
