import { formatBytes, formatNs, outputFile } from "@stowage/bench";
import { expensesOf, mergeRecordings, readRecordings, type Expense, type MergedRecordings } from "@stowage/interposer";
import { printDatatypeText } from "@stowage/ir";
import { findProfile } from "@stowage/selector";
import { join } from "node:path";
import { layoutSvg } from "../picture/layout-svg.js";
import { terminalPicture } from "../picture/terminal-picture.js";
import { print, printJson } from "../print.js";
import { COLUMNS } from "./columns.js";
import { recordingHtml } from "./recording-html.js";

interface Options {
  readonly plots?: string;
  readonly html?: string;
  readonly json?: boolean;
}

/** How many types get pictures. */
const PICTURES = 10;
const LONGEST_TYPE = 72;

/** `stowage report FOLDER`, of a folder that `stowage run --record` wrote. */
export function reportRecording(folder: string, { plots, html, json }: Options): void {
  const merged = mergeRecordings(readRecordings(folder));
  const expenses = expensesOf(merged, findProfile().profile);
  const pictured = expenses.slice(0, PICTURES);
  if (plots !== undefined) writePictures(plots, pictured);
  if (html !== undefined)
    outputFile(html, "--html").write(recordingHtml(summary(merged), pictured.map(rowOf), pictured.map(svgOf)));
  if (json === true) return printJson({ ...merged, types: expenses.map(plain) });
  if (html !== undefined) return print(html);
  print([summary(merged), "", ...table(expenses), ...pictured.flatMap(picture)].join("\n"));
}

function summary({ ranks, programs, mpi, types, others }: MergedRecordings): string {
  const predefined = others.pack.messages + others.unpack.messages;
  const callNs = others.pack.callNs + others.unpack.callNs;
  return `${programs.join(", ")}: ${ranks} ranks of ${mpi || "an unknown MPI"}, ${types.length} datatypes; ${predefined} messages of predefined ones, ${formatNs(callNs)} in their calls`;
}

function rowOf(expense: Expense, i: number): readonly string[] {
  const { use, messages, bytes, ourBytes, packNs, callNs, nativeNs, isNativeMeasured, oursNs } = expense;
  return [
    String(i + 1),
    String(use.commits),
    String(messages),
    messages === 0 ? "-" : formatBytes(Math.round(bytes / messages)),
    bytes === 0 ? "-" : `${Math.round((100 * ourBytes) / bytes)} %`,
    packNs === 0 ? "-" : formatNs(packNs),
    callNs === 0 ? "-" : formatNs(callNs),
    messages === 0 ? "-" : `${formatNs(nativeNs)}, ${isNativeMeasured ? "measured" : "predicted"}`,
    messages === 0 ? "-" : formatNs(oursNs),
    messages === 0 ? "-" : formatNs(nativeNs - oursNs),
  ];
}

const table = (expenses: readonly Expense[]): readonly string[] => [
  `| ${COLUMNS.join(" | ")} |`,
  `|${COLUMNS.map(() => "---|").join("")}`,
  ...expenses.map((expense, i) => `| ${rowOf(expense, i).join(" | ")} |`),
];

const picture = ({ layout, use }: Expense, i: number): readonly string[] => [
  "",
  `${i + 1}: ${shortened(printDatatypeText(use.datatype))}`,
  terminalPicture(layout),
];

const shortened = (text: string): string => (text.length > LONGEST_TYPE ? `${text.slice(0, LONGEST_TYPE - 1)}…` : text);

const svgOf = ({ layout, use }: Expense): string => layoutSvg(shortened(printDatatypeText(use.datatype)), layout, 1);

function writePictures(folder: string, expenses: readonly Expense[]): void {
  expenses.forEach((expense, i) => outputFile(join(folder, `type-${i + 1}.svg`), "--plots").write(svgOf(expense)));
}

/** Without layouts, which a document says as well. */
const plain = ({ layout: _, use, ...figures }: Expense) => ({
  ...figures,
  ...use,
  datatype: JSON.parse(printDatatypeText(use.datatype)) as unknown,
});
