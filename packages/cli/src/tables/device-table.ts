import pc from "picocolors";
import { formatBytes, modeOf, significant, type ResultRow } from "@stowage/bench";
import { ROUTE_CALL } from "@stowage/bench/device";
import { align } from "./align.js";
import { leadingRows } from "./leading-mode.js";
import { groupByWorkload, nameOf } from "./workload-rows.js";

/** One table a route: microseconds of pack and of unpack, the driver's own copies last. */
export function deviceTable(all: readonly ResultRow[]): string {
  const rows = leadingRows(all);
  const routes = [...new Set(rows.map(({ route }) => route))];
  return routes
    .map((route) => `${pc.bold(TITLES[route] ?? route)}\n${tableOf(rows.filter((row) => row.route === route))}`)
    .join("\n\n");
}

const TITLES: Readonly<Record<string, string>> = {
  device: "packed on the device: us a call, pack / unpack",
  "one-shot": "packed in pinned host memory: us a call, pack / unpack",
};

/** The calls that move a layout by themselves share a column: a cell has but one of them. */
const columnOf = ({ contender }: ResultRow): string => (contender.startsWith(ROUTE_CALL) ? ROUTE_CALL : contender);

const LAST = [ROUTE_CALL, "memcpy"];

function tableOf(rows: readonly ResultRow[]): string {
  const names = [...new Set(rows.map(columnOf))];
  const ordered = [...names.filter((name) => !LAST.includes(name)), ...LAST.filter((name) => names.includes(name))];
  return align([
    ["workload", "packed", "mode", ...ordered],
    ...groupByWorkload(rows).map((cell) => lineOf(cell, ordered)),
  ]);
}

function lineOf(cell: readonly ResultRow[], columns: readonly string[]): readonly string[] {
  const [first] = cell as readonly [ResultRow];
  const times = columns.map((column) => timesOf(cell.filter((row) => columnOf(row) === column)));
  return [nameOf(first), formatBytes(first.packedBytes), modeOf(first), ...times];
}

function timesOf(rows: readonly ResultRow[]): string {
  const [first] = rows;
  if (first === undefined) return "-";
  const time = (direction: ResultRow["direction"]): string => {
    const row = rows.find((each) => each.direction === direction);
    return row === undefined ? "-" : significant(row.medianNs / 1e3);
  };
  const call = first.contender.startsWith(ROUTE_CALL) ? `${first.contender.slice(ROUTE_CALL.length)} ` : "";
  return `${call}${time("pack")} / ${time("unpack")}`;
}
