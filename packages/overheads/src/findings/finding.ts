import type { ExperimentName } from "../experiment/experiment.js";

/** What becomes of a finding of the paper on the MPI that was measured. */
export type Verdict = "confirmed" | "confirmed in part" | "refuted" | "not known";

/** A finding of the paper (Balaji et al. 2010), and what was measured of it. */
export interface Finding {
  readonly experiment: ExperimentName;
  /** What the paper found, on Blue Gene/P. */
  readonly paper: string;
  readonly verdict: Verdict;
  /** The figures that decide. */
  readonly says: string;
}

export type Judged = Pick<Finding, "verdict" | "says">;

/** For want of rows. */
export const NOT_KNOWN: Judged = { verdict: "not known", says: "not measured" };

/** By how many of its claims hold. */
export function judged(claims: readonly boolean[], says: string): Judged {
  const held = claims.filter((claim) => claim).length;
  return { verdict: held === claims.length ? "confirmed" : held === 0 ? "refuted" : "confirmed in part", says };
}
