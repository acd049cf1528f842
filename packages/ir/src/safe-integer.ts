import { DatatypeError } from "./errors.js";

/** Throws where arithmetic on counts, strides or sizes left the safe integers (beyond 2^53 - 1). */
export function requireSafeInteger(value: number, what: string): number {
  if (!Number.isSafeInteger(value)) {
    throw new DatatypeError({ subject: what, expected: "an integer within ±(2^53 - 1)", got: String(value) });
  }
  return value;
}
