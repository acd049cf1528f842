import { DatatypeError } from "../errors.js";
import { quoted } from "../checks/quoted.js";

/**
 * How one dimension of a distributed array is dealt out to processes: "block", one block of neighbours to each;
 * "cyclic", blocks in turn; "none", all of it to each. MPI 4.1, section 5.1.4.
 */
export type Distribution = "block" | "cyclic" | "none";

const DISTRIBUTIONS: readonly string[] = ["block", "cyclic", "none"];

export function requireDistributions(distribs: readonly Distribution[]): readonly Distribution[] {
  if (!isList(distribs)) {
    const expected = "a list of distributions";
    throw new DatatypeError({ path: "distribs", subject: "distributions", expected, got: quoted(distribs) });
  }
  Array.from(distribs).forEach((distribution: unknown, i) => {
    if (typeof distribution === "string" && DISTRIBUTIONS.includes(distribution)) return;
    const path = `distribs[${i}]`;
    const expected = '"block", "cyclic" or "none"';
    throw new DatatypeError({ path, subject: "distribution", expected, got: quoted(distribution) });
  });
  return Object.freeze([...distribs]);
}

const isList = (value: unknown): boolean => Array.isArray(value);
