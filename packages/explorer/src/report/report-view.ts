/** A column of a table: how its cells sort, and how they read. */
export interface Column<Row> {
  readonly name: string;
  readonly value: (row: Row) => string | number | null;
  readonly text?: (row: Row) => string;
}

export type Order = { readonly column: number; readonly descending: boolean };

/** Rows in the order of a column; equal ones stay as they were, and cells without a value come last. */
export function sorted<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { column, descending }: Order,
): readonly Row[] {
  const value = columns[column]?.value ?? (() => null);
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return sign * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y)));
  });
}

/** Rows of which some cell holds each word of a filter. */
export function filtered<Row>(rows: readonly Row[], columns: readonly Column<Row>[], filter: string): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = columns.map((column) => cellText(column, row).toLowerCase()).join("\n");
    return words.every((word) => text.includes(word));
  });
}

export const cellText = <Row>({ value, text }: Column<Row>, row: Row): string =>
  text?.(row) ?? String(value(row) ?? "-");

/** Powers of ten, or of two where bytes are counted, that an axis from `least` to `most` is marked at. */
export function ticks(least: number, most: number, base: 2 | 10): readonly number[] {
  const step = base === 2 ? 5 : 1;
  const [from, to] = [Math.floor(Math.log(least) / Math.log(base)), Math.ceil(Math.log(most) / Math.log(base))];
  const marks: number[] = [];
  for (let exponent = from; exponent <= to; exponent++) if (exponent % step === 0) marks.push(base ** exponent);
  return marks.filter((mark) => mark >= least && mark <= most);
}

const PREFIXES = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

export function bytesText(bytes: number): string {
  const power = Math.max(0, Math.min(4, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${Number((bytes / 2 ** (10 * power)).toPrecision(3))} ${PREFIXES[power]}`;
}

export function timeText(ns: number): string {
  const [unit, scale] = ns < 1e3 ? ["ns", 1] : ns < 1e6 ? ["µs", 1e3] : ns < 1e9 ? ["ms", 1e6] : ["s", 1e9];
  return `${Number((ns / Number(scale)).toPrecision(3))} ${unit}`;
}
