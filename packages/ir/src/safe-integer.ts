import { quoted } from "./checks/quoted.js";
import { DatatypeError } from "./errors.js";

/** Throws where arithmetic on counts, strides or sizes left the safe integers (beyond 2^53 - 1). */
export function requireSafeInteger(value: number, what: string): number {
  if (!Number.isSafeInteger(value)) {
    throw new DatatypeError({ subject: what, expected: "an integer within ±(2^53 - 1)", got: quoted(value) });
  }
  return value;
}

/** A safe integer of 0 or more. */
export function requireNatural(value: number, what: string): number {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new DatatypeError({ subject: what, expected: "an integer from 0 to 2^53 - 1", got: quoted(value) });
  }
  return value;
}
