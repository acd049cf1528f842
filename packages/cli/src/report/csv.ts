import { bandwidth, modeOf, type ResultRow } from "@stowage/bench";
import { machineName, type Run } from "./run.js";

const COLUMNS: readonly (readonly [name: string, of: (row: ResultRow, run: Run) => string | number | undefined])[] = [
  ["file", (_, { file }) => file],
  ["machine", (_, { machine }) => machineName(machine)],
  ["date", (_, { date }) => date],
  ["commit", (_, { commit }) => commit],
  ["workload", ({ workload }) => workload],
  ["count", ({ count }) => count],
  ["packedBytes", ({ packedBytes }) => packedBytes],
  ["direction", ({ direction }) => direction],
  ["route", ({ route }) => route],
  ["mode", (row) => modeOf(row)],
  ["contender", ({ contender }) => contender],
  ["medianNs", ({ medianNs }) => medianNs],
  ["minNs", ({ minNs }) => minNs],
  ["maxNs", ({ maxNs }) => maxNs],
  ["runs", ({ runs }) => runs],
  ["GBs", (row) => bandwidth(row)],
  ["commitNs", ({ commitNs }) => commitNs],
  ["eventNs", ({ eventNs }) => eventNs],
  ["createNs", ({ createNs }) => createNs],
  ["freeNs", ({ freeNs }) => freeNs],
];

/** Every row, one a line, for spreadsheets and R. RFC 4180, but for its line ends. */
export function reportCsv(runs: readonly Run[]): string {
  const lines = runs.flatMap((run) => run.rows.map((row) => COLUMNS.map(([, of]) => quoted(of(row, run)))));
  return [COLUMNS.map(([name]) => name), ...lines].map((line) => line.join(",")).join("\n");
}

function quoted(value: string | number | undefined): string {
  const text = value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
