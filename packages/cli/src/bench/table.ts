import pc from "picocolors";
import { formatBytes, formatNs, significant } from "../print.js";
import type { ResultRow } from "../results/schema.js";

/** Bytes moved a nanosecond, which is GB/s. */
export const bandwidth = ({ packedBytes, medianNs }: ResultRow): number => packedBytes / medianNs;

/** One line a workload: pack and unpack of each contender in GB/s, the limit last, and what commit took. */
export function benchTable(rows: readonly ResultRow[]): string {
  const contenders = [...new Set(rows.map(({ contender }) => contender))];
  const columns = [
    "workload",
    "packed",
    ...contenders.flatMap((name) => (name === "memcpy" ? [name] : [`${name} pack`, "unpack", "commit"])),
  ];
  const lines = groupByWorkload(rows).map((group) => tableLine(group, contenders));
  return align([columns, ...lines]);
}

/** Rows of one workload, count and size together. */
export function groupByWorkload(rows: readonly ResultRow[]): readonly (readonly ResultRow[])[] {
  const groups = new Map<string, ResultRow[]>();
  for (const row of rows) {
    const key = `${row.workload} x${row.count} ${row.packedBytes}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

function tableLine(group: readonly ResultRow[], contenders: readonly string[]): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const find = (contender: string, direction: string): ResultRow | undefined =>
    group.find((row) => row.contender === contender && row.direction === direction);
  const speed = (row: ResultRow | undefined): string => (row === undefined ? "-" : significant(bandwidth(row)));
  return [
    first.count === 1 ? first.workload : `${first.workload} x${first.count}`,
    formatBytes(first.packedBytes),
    ...contenders.flatMap((name) => {
      const pack = find(name, "pack");
      if (name === "memcpy") return [speed(pack)];
      return [speed(pack), speed(find(name, "unpack")), pack === undefined ? "-" : formatNs(pack.commitNs)];
    }),
  ];
}

/** Columns under their names; the first to the left, numbers to the right. */
export function align(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  return lines
    .map((line, row) => {
      const cells = line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)));
      const text = cells.join("  ").trimEnd();
      return row === 0 ? pc.bold(text) : text;
    })
    .join("\n");
}
