import { significant } from "../format.js";
import { markdownTable } from "./markdown-table.js";

type Row = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The rows of a result file of whatever form, older ones too. Each is a record of texts and numbers; fields of nested
 * records have names such as `machine.cpu`. A document without rows gives the records of its lists, with `of` as the
 * list's name, or else a row for each of its fields.
 */
export function anyRows(document: unknown): readonly Row[] {
  if (Array.isArray(document)) return document.map((each) => flat(isRecord(each) ? each : { value: each as unknown }));
  if (!isRecord(document)) return [];
  const { rows, ...others } = document;
  if (Array.isArray(rows) && rows.length > 0) return anyRows(rows);
  const lists = Object.entries(others).filter(([, list]) => Array.isArray(list) && list.some(isRecord));
  if (lists.length > 0)
    return lists.flatMap(([of, list]) => (list as readonly unknown[]).map((row) => ({ of, ...anyRows([row])[0] })));
  return Object.entries(flat(others)).map(([name, value]) => ({ name, value }));
}

/** Nested records under the names that lead to them. */
function flat(row: Row, prefix = ""): Row {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): [string, unknown][] =>
      isRecord(value) ? Object.entries(flat(value, `${prefix}${name}.`)) : [[prefix + name, value]],
    ),
  );
}

/** Rows as a Markdown table. Fields that are the same in all rows stand in a line above it. */
export function rowsTable(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const shared = names.filter((name) => rows.length > 1 && rows.every((row) => row[name] === rows[0]?.[name]));
  const columns = names.filter((name) => !shared.includes(name));
  const head = shared.map((name) => `${name}: ${text(rows[0]?.[name])}`).join(", ");
  const table = markdownTable(
    columns,
    rows.map((row) => columns.map((name) => text(row[name]))),
  );
  return [head, table].filter((part) => part !== "").join("\n\n");
}

function text(value: unknown): string {
  if (value === undefined || value === null) return "-";
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : significant(value);
  if (typeof value === "string") return value;
  return JSON.stringify(value).slice(0, 60);
}
