import { isGone, quoted } from "@stowage/ir";
import { ArtifactError } from "../errors.js";
import type { Data, DataTable } from "../artifact.js";
import { sectionType, type SectionWriter } from "./sections.js";

/** Data as JSON holds it: tables by their section, and what JSON cannot say by name. */
export type EncodedData =
  | null
  | boolean
  | number
  | string
  | readonly EncodedData[]
  | { readonly [name: string]: EncodedData };

export const TABLE = "$table";
export const NUMBER = "$number";
export const MOST_LEVELS = 256;

/**
 * `{"$table": i}` is section i, `{"$number": "NaN"}` a number that JSON lacks (NaN, -0, ±Infinity), and a name that
 * starts with $ is written with one more. Throws an ArtifactError for values that are no Data.
 */
export function encodeData(data: Data, sections: SectionWriter, level = 0): EncodedData {
  if (level > MOST_LEVELS)
    throw new ArtifactError(`data of an artifact: expected at most ${MOST_LEVELS} levels, got more`);
  if (data === null || typeof data === "boolean" || typeof data === "string") return data;
  if (typeof data === "number") return encodeNumber(data);
  if (typeof data === "object") return encodeObject(data, sections, level);
  throw notData(typeof data);
}

function encodeNumber(value: number): EncodedData {
  if (Object.is(value, -0)) return { [NUMBER]: "-0" };
  return Number.isFinite(value) ? value : { [NUMBER]: String(value) };
}

type Compound = Extract<Data, object>;

function encodeObject(data: Compound, sections: SectionWriter, level: number): EncodedData {
  if (isList(data)) return data.map((entry) => encodeData(entry, sections, level + 1));
  const type = sectionType(data);
  if (type !== undefined && isGone(data as DataTable)) throw notData(quoted(data));
  if (type !== undefined) return { [TABLE]: sections.indexOf(data as DataTable, type) };
  const prototype: unknown = Object.getPrototypeOf(data);
  if (prototype !== Object.prototype && prototype !== null) throw notData(Object.prototype.toString.call(data));
  return Object.fromEntries(
    Object.entries(data).map(([name, value]: [string, Data]) => [
      name.startsWith("$") ? `$${name}` : name,
      encodeData(value, sections, level + 1),
    ]),
  );
}

/** Array.isArray narrows no read-only array. */
const isList = (data: Compound): data is readonly Data[] => Array.isArray(data);

const notData = (got: string): ArtifactError =>
  new ArtifactError(
    `data of an artifact: expected null, booleans, numbers, strings, tables, lists and plain objects, got ${got}`,
  );
