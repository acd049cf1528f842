import { PACKED_BYTES_EXPECTED, parsePackedBytes } from "@stowage/bench";
import { parseArgs } from "node:util";

/** An option of one experiment: what it takes, what it is for, and what it is where nobody says. */
export interface ExperimentOption {
  readonly kind: "flag" | "text" | "texts" | "number" | "numbers" | "bytes";
  readonly says: string;
  readonly of?: readonly string[];
  readonly byDefault?: unknown;
  /** There is no run without it. */
  readonly required?: true;
}

export type OptionTable = Readonly<Record<string, ExperimentOption>>;

/** What was given for each option, or its default. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- an experiment knows its own options
export type Given = Readonly<Record<string, any>>;

/** Reads a command line; throws one line for an option that is unknown, wrong or missing. */
export function readOptions(table: OptionTable, words: readonly string[]): Given {
  const entries = Object.entries(table);
  const types = entries.map(([name, { kind }]) => [name, { type: kind === "flag" ? "boolean" : "string" }] as const);
  const { values } = parseArgs({ args: [...words], options: Object.fromEntries(types), strict: true });
  return Object.fromEntries(
    entries.flatMap(([name, option]) => {
      const text = values[name];
      if (text === undefined && option.required === true)
        throw new Error(`--${name}: expected ${option.says}, got none`);
      const value = text === undefined ? option.byDefault : readValue(`--${name}`, option, text as string);
      return value === undefined ? [] : [[camelCase(name), value]];
    }),
  );
}

const camelCase = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function readValue(subject: string, { kind, of }: ExperimentOption, text: string): unknown {
  const chosen = (each: string): string => {
    if (of === undefined || of.includes(each)) return each;
    throw new Error(`${subject}: expected ${of.join(", ")}, got ${each}`);
  };
  switch (kind) {
    case "flag":
      return true;
    case "text":
      return chosen(text);
    case "texts":
      return text.split(",").map(chosen);
    case "number":
      return readNumber(subject, text);
    case "numbers":
      return text.split(",").map((each) => readNumber(subject, each));
    case "bytes":
      return text.split(",").map((each) => readBytes(subject, each));
  }
}

function readNumber(subject: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new Error(`${subject}: expected a number, got ${text === "" ? "nothing" : text}`);
}

function readBytes(subject: string, text: string): number {
  const bytes = parsePackedBytes(text);
  if (bytes !== undefined) return bytes;
  throw new Error(`${subject}: expected ${PACKED_BYTES_EXPECTED}, got ${text === "" ? "nothing" : text}`);
}

/** A line an option. */
export const optionsText = (table: OptionTable): string =>
  Object.entries(table)
    .map(([name, { kind, says, of, byDefault }]) => {
      const value = kind === "flag" ? "" : ` <${of?.join("|") ?? kind}>`;
      return `  --${name}${value}: ${says}${byDefault === undefined ? "" : ` (${JSON.stringify(byDefault)})`}`;
    })
    .join("\n");
