import type { Rule } from "@stowage/engine";

export type { Rules } from "@stowage/engine";

export const A_STRING: Rule = { expected: "a string", allows: (value) => typeof value === "string" };

export const A_COUNT: Rule = {
  expected: "an integer of 1 or more",
  allows: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
};

export const oneOf = (...values: readonly string[]): Rule => ({
  expected: `one of ${values.join(", ")}`,
  allows: (value) => typeof value === "string" && values.includes(value),
});
