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

/** Options of a call that is made for every message: an object, whatever its fields are. */
export function givenOptions<T extends object>(options: T): T {
  if (typeof options === "object" && (options as T | null) !== null) return options;
  throw new BridgeError("options", "an object", quoted(options));
}
