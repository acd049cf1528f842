import { cellKey, grouped, meanOf, significant, type ResultRow } from "@stowage/bench";
import { align } from "./align.js";

/** What contenders lose by moving a cell in fragments instead of by one call. Empty where none did. */
export function fragmentsText(rows: readonly ResultRow[]): string {
  const calls = new Map(rows.map((row) => [`${cellKey(row)} ${row.contender}`, row]));
  const losses = rows.flatMap((row) => {
    const [name, fragment] = row.contender.split("@");
    const call = fragment === undefined ? undefined : calls.get(`${cellKey(row)} ${name}`);
    return call === undefined ? [] : [{ contender: row.contender, row, ratio: row.medianNs / call.medianNs }];
  });
  const lines = [...grouped(losses, ({ contender }) => contender).entries()].map(([contender, group]) => {
    const mean = meanOf(group.map(({ ratio }) => ratio))?.geometricMean ?? NaN;
    const worst = group.reduce((most, one) => (one.ratio > most.ratio ? one : most));
    const where = `${significant(worst.ratio)} (${worst.row.workload} ${worst.row.direction})`;
    return [contender, String(group.length), significant(mean), where];
  });
  if (lines.length === 0) return "";
  return `time in fragments over time in one call\n${align([["contender", "cells", "geometric mean", "most"], ...lines])}`;
}
