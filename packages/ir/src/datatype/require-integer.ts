import { DatatypeError } from "../errors.js";
import { quoted } from "../checks/quoted.js";

const SAFE = "within ±(2^53 - 1)";

/** The wording of what an integer may be, from `least` up; any safe integer where there is no least. */
export function integersFrom(least: number): string {
  return least === -Infinity ? `an integer ${SAFE}` : `an integer from ${least} to 2^53 - 1`;
}

/** An argument that is a safe integer, `least` or more. `path` is its name in a datatype document. */
export function requireInteger(value: number, path: string, subject: string, least = -Infinity): number {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new DatatypeError({ path, subject, expected: integersFrom(least), got: quoted(value) });
  }
  return value + 0; // -0 becomes 0
}

/** An argument that counts something: a non-negative safe integer. */
export function requireCount(value: number, path: string, subject: string): number {
  return requireInteger(value, path, subject, 0);
}
