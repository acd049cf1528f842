import { ArgumentError } from "../errors.js";
import { quoted } from "./quoted.js";

/**
 * Returns `value` where it is an object (an array is one), whatever is in it. Else throws an ArgumentError of this
 * subject, which says what was expected.
 */
export function requireObject<T extends object>(value: T, subject: string, expected: string): T {
  if (typeof value === "object" && (value as T | null) !== null) return value;
  throw new ArgumentError(subject, expected, quoted(value));
}

/** Throws an ArgumentError of this subject where `value` is neither a function nor undefined. */
export function requireCallback(value: unknown, subject: string): void {
  if (value !== undefined && typeof value !== "function") throw new ArgumentError(subject, "a function", quoted(value));
}

/** Returns `value` where it is an array, whatever its entries. Else throws an ArgumentError of this subject. */
export function requireArray<T>(value: readonly T[], subject: string, expected: string): readonly T[] {
  if ((Array.isArray as (given: unknown) => boolean)(value)) return value;
  throw new ArgumentError(subject, expected, quoted(value));
}

/** Throws an ArgumentError of this subject where `options` is no object, or has a key that is not among `known`. */
export function requireOptions(options: object, subject: string, known: readonly string[]): void {
  requireObject(options, subject, `an object of ${known.join(", ")}`);
  const strange = Object.keys(options).find((key) => !known.includes(key));
  if (strange !== undefined) throw new ArgumentError(subject, `no options but ${known.join(", ")}`, quoted(strange));
}
