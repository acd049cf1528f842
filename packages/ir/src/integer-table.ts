import { quoted } from "./checks/quoted.js";
import { ArgumentError } from "./errors.js";

/**
 * A list of safe integers, held as 4-byte integers where they fit and as doubles where they do not.
 * Tables are data: whoever holds one must not write to it.
 */
export type IntegerTable = Int32Array | Float64Array;

/** What a typed array of Node holds at most. */
const MOST_ENTRIES = 2 ** 32 - 1;

export const fitsInt32 = (value: number): boolean => value === (value | 0);

/** Throws where plain JavaScript handed over something else. */
export function requireTable(table: IntegerTable, subject: string): void {
  if (table instanceof Int32Array || table instanceof Float64Array) return;
  throw new ArgumentError(subject, "an Int32Array or a Float64Array", quoted(table));
}

/**
 * The narrowest table that holds `length` integers, entry i computed by `at(i)`: an Int32Array where all of them fit
 * into 32 bits, else a Float64Array. O(length). `at` must return safe integers: they are not checked.
 * @throws ArgumentError where `length` is no integer from 0 to 2^32 - 1, or `at` is no function.
 */
export function integerTable(length: number, at: (index: number) => number): IntegerTable {
  if (typeof at !== "function") throw new ArgumentError("entries of a table", "a function", quoted(at));
  if (!Number.isSafeInteger(length) || length < 0 || length > MOST_ENTRIES) {
    throw new ArgumentError("length of a table", "an integer from 0 to 2^32 - 1", quoted(length));
  }
  const narrow = new Int32Array(length);
  for (let i = 0; i < length; i++) {
    const value = at(i);
    if (!fitsInt32(value)) return widen(narrow, i, at);
    narrow[i] = value;
  }
  return narrow;
}

/** The narrowest table of what a table of doubles holds: that table itself where it takes doubles. */
export function narrowest(wide: Float64Array): IntegerTable {
  const narrow = new Int32Array(wide.length);
  for (let i = 0; i < wide.length; i++) {
    narrow[i] = wide[i] as number;
    if (narrow[i] !== wide[i]) return wide;
  }
  return narrow;
}

function widen(narrow: Int32Array, filled: number, at: (index: number) => number): Float64Array {
  const wide = new Float64Array(narrow.length);
  wide.set(narrow.subarray(0, filled));
  for (let i = filled; i < wide.length; i++) wide[i] = at(i);
  return wide;
}

/**
 * Every entry moved by the same amount. Where the result fits 4 bytes at both ends of the table's range, so it does
 * throughout.
 */
export function shifted(table: IntegerTable, by: number): IntegerTable {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < table.length; i++) {
    const value = table[i] as number;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const narrow = table.length === 0 || (fitsInt32(least + by) && fitsInt32(most + by));
  const moved = narrow ? new Int32Array(table.length) : new Float64Array(table.length);
  for (let i = 0; i < table.length; i++) moved[i] = (table[i] as number) + by;
  return moved;
}
