import type { Rule } from "@stowage/engine";
import { quoted } from "@stowage/ir";
import { BridgeError } from "./errors.js";

export type { Rules } from "@stowage/engine";

export const A_STRING: Rule = { expected: "a string", allows: (value) => typeof value === "string" };

export const A_COUNT: Rule = {
  expected: "an integer of 1 or more",
  allows: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
};

export const A_BOOLEAN: Rule = { expected: "true or false", allows: (value) => typeof value === "boolean" };

export const A_LIST: Rule = { expected: "a list", allows: Array.isArray };

export const oneOf = (...values: readonly string[]): Rule => ({
  expected: `one of ${values.join(", ")}`,
  allows: (value) => typeof value === "string" && values.includes(value),
});

/** Names of the options that a call takes. */
export type Names = ReadonlySet<string>;

/**
 * Options of a call that is made for every message: an object whose names are known, and whose time limit, if any, is
 * one. What else they say their call looks at.
 */
export function givenOptions<T extends object>(options: T, names: Names, subject = "options"): T {
  if (typeof options !== "object" || (options as T | null) === null)
    throw new BridgeError(subject, "an object", quoted(options));
  for (const name in options)
    if (!names.has(name)) throw new BridgeError(subject, `some of ${[...names].join(", ")}`, quoted(name));
  if ("timeoutMs" in options) requireLimit(options.timeoutMs);
  return options;
}

/** Throws a BridgeError for what is no time limit. */
export function requireLimit(timeoutMs: unknown): void {
  if (timeoutMs === undefined || (typeof timeoutMs === "number" && timeoutMs >= 0)) return;
  throw new BridgeError("time limit", "milliseconds of 0 or more", quoted(timeoutMs));
}
