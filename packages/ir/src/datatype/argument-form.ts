import { quoted } from "../checks/quoted.js";
import { DatatypeError } from "../errors.js";

/**
 * Throws where a builder that takes its arguments one after the other, as `form` has them, was given one object of
 * them, as documents are.
 */
export function requirePositional(first: unknown, form: string): void {
  if (typeof first !== "object" || first === null || Array.isArray(first) || ArrayBuffer.isView(first)) return;
  throw new DatatypeError({ subject: "arguments", expected: form, got: "an object" });
}

/** The other way round: throws where a builder that takes one object of arguments was given anything else. */
export function requireNamedArguments(given: unknown, form: string): void {
  if (typeof given === "object" && given !== null && !Array.isArray(given) && !ArrayBuffer.isView(given)) return;
  throw new DatatypeError({ subject: "arguments", expected: form, got: quoted(given) });
}
