import { ArgumentError } from "../errors.js";
import { quoted } from "./quoted.js";
import { requireObject } from "./require-argument.js";

/** What a field of a record may be. */
export interface FieldRule {
  /** What is expected, in words: the error of a wrong value says it. */
  readonly expected: string;
  /** Whether the field may have this value; it is asked of absent fields too, with undefined. */
  readonly allows: (value: unknown) => boolean;
}

/** A rule for each field of a record, optional fields included. */
export type FieldRules<Fields> = { readonly [Name in keyof Fields]-?: FieldRule };

/**
 * Returns `value` where it is an object and each field with a rule is as its rule says; other fields are left alone.
 * Else throws an ArgumentError that names the first wrong field "of" this subject.
 */
export function requireRecord<T extends object>(value: T, subject: string, rules: FieldRules<T>): T {
  requireObject(value, subject, `an object of ${Object.keys(rules).join(", ")}`);
  for (const name in rules) {
    const { expected, allows } = rules[name];
    if (!allows(value[name])) throw new ArgumentError(`${name} of ${subject}`, expected, quoted(value[name]));
  }
  return value;
}
