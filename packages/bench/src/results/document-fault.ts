import { quoted } from "@stowage/ir";
import type { z } from "zod";

/** Says in one line what is wrong with a document that a schema refused: the field, what was expected, what it has. */
export function documentFault({ issues: [issue] }: z.ZodError, document: unknown): string {
  if (issue === undefined) return "document: expected another";
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], document);
  const got = value === undefined ? "none" : quoted(value);
  return `${issue.path.map(String).join(".") || "document"}: expected ${expectedBy(issue)}, got ${got}`;
}

const TYPES: Readonly<Record<string, string>> = {
  number: "a number",
  int: "a whole number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function expectedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return TYPES[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.map(String).join(", ");
    case "too_small":
      return issue.inclusive === false ? `more than ${issue.minimum}` : `${issue.minimum} or more`;
    case "too_big":
      return issue.inclusive === false ? `less than ${issue.maximum}` : `${issue.maximum} at most`;
    case "invalid_format":
      return issue.pattern === undefined ? `a text that is ${issue.format}` : `a text of the form ${issue.pattern}`;
    case "invalid_union":
    case "invalid_key":
    case "invalid_element":
    case "not_multiple_of":
    case "unrecognized_keys":
    case "custom":
      return "another value";
  }
}
