import type { Rule } from "@stowage/engine";
import { quoted } from "@stowage/ir";
import { BridgeError } from "./errors.js";

/** A rule for each option that a call takes, by its name. */
export type Rules<Options> = ReadonlyMap<keyof Options & string, Rule>;

/** Rules as maps: options are looked up for every message, and a map is quicker than an object's own names. */
export const rulesOf = <Options extends object>(rules: { readonly [Name in keyof Options]-?: Rule }): Rules<Options> =>
  new Map(Object.entries(rules) as [keyof Options & string, Rule][]);

/** Of what the call itself looks at closely: it depends on other arguments, or is no plain value. */
export const ANYTHING: Rule = { expected: "anything", allows: () => true };

export const A_STRING: Rule = { expected: "a string", allows: (value) => typeof value === "string" };

export const integerFrom = (least: number, most = Infinity): Rule => ({
  expected: most === Infinity ? `an integer of ${least} or more` : `an integer from ${least} to ${most}`,
  allows: (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
});

export const A_COUNT: Rule = integerFrom(1);

export const A_BOOLEAN: Rule = { expected: "true or false", allows: (value) => typeof value === "boolean" };

export const AN_OBJECT: Rule = {
  expected: "an object",
  allows: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

export const A_LIST: Rule = { expected: "a list", allows: Array.isArray };

export const A_TIME_LIMIT: Rule = {
  expected: "milliseconds of 0 or more",
  allows: (value) => typeof value === "number" && value >= 0,
};

export const oneOf = (...values: readonly string[]): Rule => ({
  expected: `one of ${values.join(", ")}`,
  allows: (value) => typeof value === "string" && values.includes(value),
});

/**
 * Options of a call of this package: an object whose names are known, and whose values their rules allow; one that is
 * undefined counts as absent. Throws a BridgeError.
 */
export function givenOptions<Options extends object>(
  options: Options,
  rules: Rules<Options>,
  subject = "options",
): Options {
  if (typeof options !== "object" || (options as Options | null) === null || Array.isArray(options))
    throw new BridgeError(subject, "an object", quoted(options));
  for (const name in options) {
    const rule = rules.get(name);
    if (rule === undefined) throw new BridgeError(subject, `some of ${[...rules.keys()].join(", ")}`, quoted(name));
    const value = options[name];
    if (value !== undefined && !rule.allows(value))
      throw new BridgeError(`${subject}: ${name}`, rule.expected, quoted(value));
  }
  return options;
}
