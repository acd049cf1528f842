import { ArgumentError } from "../errors.js";
import { quoted } from "./quoted.js";
import { requireObject } from "./require-argument.js";

/** What a field of a record may be. */
export interface FieldRule {
  /** What was expected, in words: the error of a wrong value says it. */
  readonly expected: string;
  readonly allows: (value: unknown) => boolean;
}

/** A rule for each field that there is. */
export type FieldRules<Fields> = { readonly [Name in keyof Fields]-?: FieldRule };

/** An object whose fields are as their rules say; others are left alone. Throws an ArgumentError. */
export function requireRecord<T extends object>(value: T, subject: string, rules: FieldRules<T>): T {
  requireObject(value, subject, `an object of ${Object.keys(rules).join(", ")}`);
  for (const name in rules) {
    const { expected, allows } = rules[name];
    if (!allows(value[name])) throw new ArgumentError(`${name} of ${subject}`, expected, quoted(value[name]));
  }
  return value;
}
