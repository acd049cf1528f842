import type { EncodedLayouts } from "@stowage/ir";
import type { Data } from "../artifact.js";
import { CONDITION_RULES, type Conditions } from "../conditions.js";
import { ArtifactError } from "../errors.js";
import type { Header } from "./format.js";

// A container may be well-formed and still no work of encodeArtifact: what it holds is checked field by field.

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isPresent: Check = (value) => value !== undefined;
const isDoubles: Check = (value) => value instanceof Float64Array;
const isIntegers: Check = (value) => value instanceof Float64Array || value instanceof Int32Array;
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const isPair: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(isNumber);
const isReduction: Check = (value) =>
  value === null || (Array.isArray(value) && value.length === 2 && value.every(isText));
const isSection: Check = (value) => isRecord(value) && isText(value["type"]);

const HEADER: Record<keyof Header, Check> = {
  backend: isText,
  formatVersion: isNumber,
  key: isText,
  conditions: isPresent,
  moves: isListOf(isPair),
  reductions: (value) => value === undefined || isListOf(isReduction)(value),
  tables: (value) => value === undefined || isListOf((each) => each === null || isRecord(each))(value),
  layouts: isPresent,
  payload: isPresent,
  description: () => true,
  sections: isListOf(isSection),
};

const CONDITIONS = Object.fromEntries(
  Object.entries(CONDITION_RULES).map(([name, { allows }]) => [name, allows]),
) as Record<keyof Conditions, Check>;

const LAYOUTS: Record<keyof EncodedLayouts, Check> = {
  nodes: isDoubles,
  layouts: isDoubles,
  tables: isListOf(isIntegers),
};

export const requireHeader = (value: unknown): Header => required<Header>("header", value, HEADER);
export const requireStoredConditions = (value: Data): Conditions =>
  required<Conditions>("conditions", value, CONDITIONS);
export const requireEncodedLayouts = (value: Data): EncodedLayouts =>
  required<EncodedLayouts>("layouts", value, LAYOUTS);

function required<Shape>(subject: string, value: unknown, shape: Record<keyof Shape, Check>): Shape {
  const fields = Object.entries<Check>(shape);
  const wrong = isRecord(value) ? fields.find(([name, check]) => !check(value[name]))?.[0] : "kind";
  if (wrong === undefined) return value as Shape;
  throw new ArtifactError(`${subject} of an artifact: expected a valid ${wrong}, got another value`);
}
