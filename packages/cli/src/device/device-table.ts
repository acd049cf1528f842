import pc from "picocolors";
import { align, groupByWorkload } from "../bench/table.js";
import { formatBytes, significant } from "../print.js";
import type { ResultRow } from "../results/schema.js";

/** One table a route: microseconds of pack and unpack of each contender, the driver's copy of the same size last. */
export function deviceTable(rows: readonly ResultRow[]): string {
  const routes = [...new Set(rows.map(({ route }) => route))];
  return routes.map((route) => `${pc.bold(TITLES[route] ?? route)}\n${tableOf(rows.filter((row) => row.route === route))}`).join("\n\n");
}

const TITLES: Readonly<Record<string, string>> = {
  device: "packed on the device, us a call",
  "one-shot": "packed in pinned host memory, us a call",
};

function tableOf(rows: readonly ResultRow[]): string {
  const names = [...new Set(rows.map(({ contender }) => contender))];
  const ordered = [...names.filter((name) => name !== "memcpy"), ...names.filter((name) => name === "memcpy")];
  const columns = ["workload", "packed", ...ordered.flatMap((name) => [`${name} pack`, "unpack"])];
  return align([columns, ...groupByWorkload(rows).map((cell) => lineOf(cell, ordered))]);
}

function lineOf(cell: readonly ResultRow[], names: readonly string[]): readonly string[] {
  const [{ workload, count, packedBytes }] = cell as readonly [ResultRow];
  const time = (contender: string, direction: ResultRow["direction"]): string => {
    const row = cell.find((each) => each.contender === contender && each.direction === direction);
    return row === undefined ? "-" : significant(row.medianNs / 1e3);
  };
  const times = names.flatMap((name) => [time(name, "pack"), time(name, "unpack")]);
  return [count === 1 ? workload : `${workload} x${count}`, formatBytes(packedBytes), ...times];
}
