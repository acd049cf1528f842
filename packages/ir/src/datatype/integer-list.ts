import { DatatypeError } from "../errors.js";
import { integerTable, type IntegerTable } from "../integer-table.js";
import { quoted } from "../checks/quoted.js";
import { integersFrom } from "./require-integer.js";

/** Integers as a caller gives them. Typed arrays are copied once and never boxed. */
export type IntegerList = readonly number[] | Int32Array | Float64Array;

/** A private copy of a caller's list, each entry a safe integer of `least` or more. O(n). */
export function copyIntegers(list: IntegerList, path: string, subject: string, least = -Infinity): IntegerTable {
  requireList(list, path, subject);
  if (!(list instanceof Int32Array) || least > -Infinity) requireEntries(list, path, subject, least);
  return list instanceof Int32Array ? list.slice() : integerTable(list.length, (i) => list[i] as number);
}

/** A list of numbers, whatever they are. */
export function requireList(list: IntegerList, path: string, subject: string): IntegerList {
  if (Array.isArray(list) || list instanceof Int32Array || list instanceof Float64Array) return list;
  throw new DatatypeError({ path, subject, expected: "a list of integers", got: quoted(list) });
}

function requireEntries(list: IntegerList, path: string, subject: string, least: number): void {
  for (let i = 0; i < list.length; i++) {
    const value = list[i] as number;
    if (Number.isSafeInteger(value) && value >= least) continue;
    throw new DatatypeError({ path: `${path}[${i}]`, subject, expected: integersFrom(least), got: quoted(value) });
  }
}

/** Throws where two lists that describe the same blocks differ in length. */
export function requireSameLength(
  first: { readonly length: number },
  second: { readonly length: number },
  path: string,
  subject: string,
  entries: string,
): void {
  if (first.length === second.length) return;
  throw new DatatypeError({ path, subject, expected: `${first.length} ${entries}`, got: String(second.length) });
}
