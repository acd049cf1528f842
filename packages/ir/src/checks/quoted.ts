import { isGone } from "./is-gone.js";

const LONGEST = 60;

/** Any value in one short line, for the "got" of an error: of strings at most 60 characters, of lists the length. */
export function quoted(value: unknown): string {
  if (typeof value === "string") return shortened(JSON.stringify(value));
  if (typeof value === "bigint") return `the bigint ${value}n`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (ArrayBuffer.isView(value)) return `a ${isGone(value) ? "detached " : ""}${value.constructor.name}`;
  if (typeof value === "symbol") return `the symbol ${quoted(value.description ?? "")}`;
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "function") return "a function";
  return Object.is(value, -0) ? "-0" : String(value);
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 4)}..."`;
}
