import { ArgumentError, quoted } from "@stowage/ir";

/** What the value of an option may be. */
export interface Rule {
  /** What is expected, in words: the error of a wrong value says it. */
  readonly expected: string;
  /** Whether the option may have this value; undefined is not asked about. */
  readonly allows: (value: unknown) => boolean;
}

/** A rule for each option that there is, by its name. */
export type Rules<Options> = { readonly [Name in keyof Options]-?: Rule };

/**
 * Checks that options are an object with known names and values that their rules allow; one that is undefined counts as
 * absent. Throws an ArgumentError of this subject where they are not.
 */
export function checkOptions<Options extends object>(subject: string, options: Options, rules: Rules<Options>): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new ArgumentError(subject, "an object", quoted(options));
  }
  for (const name in options) {
    if (!Object.hasOwn(rules, name)) {
      throw new ArgumentError(subject, `some of ${Object.keys(rules).join(", ")}`, quoted(name));
    }
    const value = options[name];
    if (value !== undefined && !rules[name].allows(value)) {
      throw new ArgumentError(`${subject}: ${name}`, rules[name].expected, quoted(value));
    }
  }
}

export const oneOf = (...values: readonly string[]): Rule => ({
  expected: `one of ${values.join(", ")}`,
  allows: (value) => typeof value === "string" && values.includes(value),
});

export const integerFrom = (least: number, most = Number.MAX_SAFE_INTEGER): Rule => ({
  expected: most === Number.MAX_SAFE_INTEGER ? `an integer of ${least} or more` : `an integer from ${least} to ${most}`,
  allows: (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
});

export const POWER_OF_TWO: Rule = {
  expected: "a power of two",
  allows: (value) => Number.isSafeInteger(value) && 2 ** Math.round(Math.log2(value as number)) === value,
};

export const A_STRING: Rule = { expected: "a string", allows: (value) => typeof value === "string" };

export const A_FUNCTION: Rule = { expected: "a function", allows: (value) => typeof value === "function" };
