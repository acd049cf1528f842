import type { ValueKind } from "./value-kind.js";

/** What an option was given, as its command takes it. Throws one line: the option, what was expected, what it got. */
export async function readValue(subject: string, value: ValueKind, text: string): Promise<unknown> {
  switch (value.kind) {
    case "choice":
      return readChoice(subject, value, text);
    case "whole":
      return value.isList === true
        ? text.split(",").map((each) => wholeNumber(subject, value, each.trim()))
        : wholeNumber(subject, value, text);
    case "bytes":
      return (await import("./bytes-and-outputs.js")).readBytes(subject, value, text);
    case "wire":
      return readWire(subject, text);
    case "output": {
      const { lookAtOutput } = await import("./bytes-and-outputs.js");
      lookAtOutput(subject, value, text);
      return text;
    }
    case "input":
    case "text":
      if (text !== "") return text;
      throw expected(subject, "a text", text);
  }
}

/** The "got" of something empty. */
const shown = (text: string): string => (text === "" ? "nothing" : text);

const expected = (subject: string, what: string, got: string): Error =>
  new Error(`${subject}: expected ${what}, got ${shown(got)}`);

function oneOf(names: readonly string[]): string {
  const [last = "", ...others] = [...names].reverse();
  return others.length === 0 ? last : `${others.reverse().join(", ")} or ${last}`;
}

function readChoice(subject: string, { of, isList }: Extract<ValueKind, { kind: "choice" }>, text: string): unknown {
  const chosen = isList === true ? text.split(",") : [text];
  const unknown = chosen.find((each) => !of.includes(each));
  if (unknown === undefined) return isList === true ? [...new Set(chosen)] : text;
  throw expected(subject, isList === true ? `some of ${of.join(", ")}, separated by commas` : oneOf(of), text);
}

type Whole = Extract<ValueKind, { kind: "whole" }>;

function wholeNumber(subject: string, { least = 1, most, isList }: Whole, text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= (most ?? Number.MAX_SAFE_INTEGER)) return value;
  const range = most === undefined ? (least === 1 ? "above 0" : `of ${least} or more`) : `from ${least} to ${most}`;
  throw expected(subject, isList ? `whole numbers ${range}, separated by commas` : `a whole number ${range}`, text);
}

/** A network's latency, and nanoseconds a byte. GB/s are bytes a nanosecond. */
export interface Wire {
  readonly wireNs: number;
  readonly wireNsPerByte: number;
}

function readWire(subject: string, text: string): Wire {
  const [wireNs = NaN, gigabytesPerSecond = NaN, ...rest] = text.split(",").map((each) => Number(each || NaN));
  if (wireNs >= 0 && gigabytesPerSecond > 0 && gigabytesPerSecond < Infinity && rest.length === 0)
    return { wireNs, wireNsPerByte: 1 / gigabytesPerSecond };
  throw expected(subject, "nanoseconds and GB/s, such as 1500,25", text);
}
