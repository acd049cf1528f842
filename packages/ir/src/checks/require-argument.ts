import { ArgumentError } from "../errors.js";
import { quoted } from "./quoted.js";

/** An object, of a kind that nothing in it has shown yet. */
export function requireObject<T extends object>(value: T, subject: string, expected: string): T {
  if (typeof value === "object" && (value as T | null) !== null) return value;
  throw new ArgumentError(subject, expected, quoted(value));
}

/** A function, or nothing. */
export function requireCallback(value: unknown, subject: string): void {
  if (value !== undefined && typeof value !== "function") throw new ArgumentError(subject, "a function", quoted(value));
}

/** A list, whatever its entries. */
export function requireArray<T>(value: readonly T[], subject: string, expected: string): readonly T[] {
  if ((Array.isArray as (given: unknown) => boolean)(value)) return value;
  throw new ArgumentError(subject, expected, quoted(value));
}

/** Options by name: an object with no keys but these. */
export function requireOptions(options: object, subject: string, known: readonly string[]): void {
  requireObject(options, subject, `an object of ${known.join(", ")}`);
  const strange = Object.keys(options).find((key) => !known.includes(key));
  if (strange !== undefined) throw new ArgumentError(subject, `no options but ${known.join(", ")}`, quoted(strange));
}
