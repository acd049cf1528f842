import type { ReportChange, ReportData, ReportRow } from "../src/report/report-data.js";
import { bytesText, timeText, type Column } from "../src/report/report-view.js";
import { element } from "./element.js";
import { scatterPlot, type Axis, type Mark } from "./report/scatter-plot.js";
import { SortableTable } from "./report/sortable-table.js";

const BYTES: Axis = { title: "packed bytes", base: 2, text: bytesText };
const TIME = (title: string): Axis => ({ title, base: 10, text: timeText });
const BANDWIDTH: Axis = { title: "GB/s", base: 10, text: String };

const data = JSON.parse(document.querySelector("#data")?.textContent ?? "{}") as ReportData;

document.body.append(
  element(
    "div",
    { class: "app report", "data-drawn": "yes" },
    element("header", {}, element("h1", {}, "Stowage ", element("span", {}, "results"))),
    element("main", {}, ...headline(), runsList(), ...plots(), ...changes(), rowsTable()),
  ),
);

function headline(): readonly HTMLElement[] {
  const [first, ...others] = data.headline ?? [];
  if (first === undefined) return [];
  const rest = others.map((line) => element("p", {}, line));
  return [element("section", { class: "headline", "aria-label": "Summary" }, element("h2", {}, first), ...rest)];
}

function runsList(): HTMLElement {
  const items = data.runs.map(({ file, machine, date, commit, command }) =>
    element(
      "li",
      {},
      element("b", {}, file),
      ` ${machine}; ${date.slice(0, 10)}, commit ${commit}`,
      element("pre", { tabindex: 0 }, command),
    ),
  );
  return element("section", { "aria-label": "Runs" }, element("ul", { class: "runs" }, ...items));
}

function plots(): readonly HTMLElement[] {
  const directions = [...new Set(data.rows.map(({ direction }) => direction))];
  return directions.map((direction) => {
    const marks = data.rows.filter((row) => row.direction === direction && row.packedBytes > 0).map(markOf);
    return element(
      "section",
      {},
      scatterPlot(
        `${direction}: bandwidth over size${data.runs.length > 1 ? "; filled: the first file, hollow: others" : ""}`,
        marks,
        BYTES,
        BANDWIDTH,
      ),
    );
  });
}

function markOf(row: ReportRow): Mark {
  const { contender, workload, packedBytes, mode, medianNs, minNs, maxNs, bandwidth, run } = row;
  const file = data.runs.length > 1 ? ` (${data.runs[run]?.file})` : "";
  const times = `median ${timeText(medianNs)}, ${timeText(minNs)} to ${timeText(maxNs)}`;
  const text = `${contender}${file}, ${workload}, ${bytesText(packedBytes)}, ${mode}: ${bandwidth.toFixed(2)} GB/s; ${times}`;
  return { x: packedBytes, y: bandwidth, name: contender, text, isHollow: run > 0 };
}

function changes(): readonly HTMLElement[] {
  if (data.changes.length === 0) return [];
  const marks = data.changes.map(({ contender, workload, packedBytes, beforeNs, nowNs }): Mark => ({
    x: beforeNs,
    y: nowNs,
    name: contender,
    text: `${contender}, ${workload}, ${bytesText(packedBytes)}: ${timeText(beforeNs)} before, ${timeText(nowNs)} now`,
  }));
  const columns: readonly Column<ReportChange>[] = [
    { name: "times as fast", value: ({ ratio }) => ratio, text: ({ ratio }) => ratio?.toFixed(2) ?? "-" },
    { name: "workload", value: ({ workload }) => workload },
    { name: "packed", value: ({ packedBytes }) => packedBytes, text: ({ packedBytes }) => bytesText(packedBytes) },
    { name: "direction", value: ({ direction }) => direction },
    { name: "mode", value: ({ mode }) => mode },
    { name: "contender", value: ({ contender }) => contender },
    { name: "before", value: ({ beforeNs }) => beforeNs, text: ({ beforeNs }) => timeText(beforeNs) },
    { name: "now", value: ({ nowNs }) => nowNs, text: ({ nowNs }) => timeText(nowNs) },
  ];
  return [
    element("section", {}, scatterPlot("compared: now over before", marks, TIME("before"), TIME("now"))),
    new SortableTable("What changed between the two files", data.changes, columns).node,
  ];
}

function rowsTable(): HTMLElement {
  const columns: readonly Column<ReportRow>[] = [
    { name: "workload", value: ({ workload }) => workload },
    { name: "packed", value: ({ packedBytes }) => packedBytes, text: ({ packedBytes }) => bytesText(packedBytes) },
    { name: "direction", value: ({ direction }) => direction },
    { name: "route", value: ({ route }) => route },
    { name: "mode", value: ({ mode }) => mode },
    { name: "contender", value: ({ contender }) => contender },
    { name: "median", value: ({ medianNs }) => medianNs, text: ({ medianNs }) => timeText(medianNs) },
    { name: "GB/s", value: ({ bandwidth }) => bandwidth, text: ({ bandwidth }) => bandwidth.toFixed(2) },
    {
      name: "commit",
      value: ({ commitNs }) => commitNs,
      text: ({ commitNs }) => (commitNs > 0 ? timeText(commitNs) : "-"),
    },
    { name: "file", value: ({ run }) => data.runs[run]?.file ?? "" },
  ];
  return new SortableTable("Every measurement", data.rows, columns).node;
}
