import { quoted, type IntegerTable } from "@stowage/ir";
import { DameError } from "./dame-error.js";
import { PARAMETERS, type Parameter } from "./parameters.js";
import type { Primitive, Struct } from "./primitive.js";
import type { DameProgram } from "./program.js";
import { requireVerified } from "./verify-dame.js";

/** How a program is printed. */
export interface PrintDameOptions {
  /**
   * How many entries the longest table may have that is written in full; of a longer one the text has the beginning and
   * the length, and is for reading only. Default: every table is written in full.
   */
  readonly tableEntries?: number;
}

/**
 * The text of a DAME program (Prabhu and Gropp 2017): one primitive a line, inner ones indented. Line n, from 1, holds
 * primitive n - 1. parseDame reads the text back to the same program, unless `tableEntries` shortened a table.
 */
export function printDame(program: DameProgram, options: PrintDameOptions = {}): string {
  requireVerified(program);
  const tableEntries = entriesOf(options);
  const own = ownSubprograms(program);
  const indents = indentsOf(program);
  const lines = program.primitives.map((primitive, index) => {
    const indent = "  ".repeat(Math.min(indents[index] as number, DEEPEST));
    return `${indent}${text(primitive, own.get(index), tableEntries)}\n`;
  });
  return lines.join("");
}

function entriesOf(options: PrintDameOptions): number {
  if (typeof options !== "object" || (options as object | null) === null)
    throw new DameError("options of printDame", "an object of tableEntries", quoted(options));
  const { tableEntries = Infinity } = options;
  if (typeof tableEntries === "number" && tableEntries >= 0) return tableEntries;
  throw new DameError("entries of a table", "a number of 0 or more", quoted(tableEntries));
}

/** Levels that are indented: deeper programs stay readable, and their text linear in their length. */
const DEEPEST = 40;

/** Inner types stand one level further in; a subprogram one further than its STRUCT, a BOTTOM where its begin is. */
function indentsOf({ primitives }: DameProgram): Int32Array {
  const indents = new Int32Array(primitives.length);
  const open: number[] = [];
  primitives.forEach((primitive, index) => {
    const { kind } = primitive;
    const before = (indents[index - 1] ?? -1) + 1;
    indents[index] = kind === "RETURNTO" ? (indents[primitive.struct] as number) + 1 : before;
    if (kind === "EXIT" || kind === "RETURNTO") open.push(index);
    if (kind === "BOTTOM") indents[index] = indents[open.pop() ?? 0] as number;
  });
  return indents;
}

/** The subprograms that stand under each STRUCT, by their indices. */
function ownSubprograms(program: DameProgram): Map<number, number[]> {
  const own = new Map<number, number[]>();
  program.primitives.forEach((primitive, index) => {
    if (primitive.kind === "STRUCT") own.set(index, []);
    if (primitive.kind === "RETURNTO") own.get(primitive.struct)?.push(index);
  });
  return own;
}

function text(primitive: Primitive, own: readonly number[] | undefined, tableEntries: number): string {
  const values: Readonly<Record<string, unknown>> = primitive;
  const parameters = PARAMETERS[primitive.kind].filter(
    ({ optional }) => !optional || primitive.kind !== "STRUCT" || !isInTurn(primitive, own ?? []),
  );
  if (parameters.length === 0) return primitive.kind;
  const written = parameters.map((parameter) => parameterText(parameter, values[parameter.name], tableEntries));
  return `${primitive.kind}(${written.join(",")})`;
}

function parameterText({ form }: Parameter, value: unknown, tableEntries: number): string {
  switch (form) {
    case "integer":
      return String(value);
    case "line":
      return String((value as number) + 1);
    case "table":
      return tableText(value as IntegerTable, 0, tableEntries);
    case "lines":
      return tableText(value as IntegerTable, 1, tableEntries);
  }
}

function tableText(table: IntegerTable, add: number, entries: number): string {
  const shown = Array.from(table.length > entries ? table.subarray(0, entries) : table, (value) => String(value + add));
  if (table.length > entries) shown.push(`... ${table.length} in all`);
  return `[${shown.join(",")}]`;
}

/** Whether a STRUCT's own subprograms belong to its members in turn, or one to all: then its text needs no lines. */
function isInTurn(struct: Struct, own: readonly number[]): boolean {
  if (own.length !== Math.min(struct.count, struct.sizesBytes.length)) return false;
  return struct.subprograms.every((index, i) => index === own[own.length === 1 ? 0 : i]);
}
