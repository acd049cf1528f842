import { checkOptions } from "@stowage/engine";
import { checkHints, type Hints } from "../message/datatype/hints.js";
import { A_LIMIT, AN_OBJECT, oneOf, type Rules } from "../option-rules.js";

/**
 * Which mistakes of callers are looked for before MPI is asked (paper: Balaji et al. 2010, section 3.9, where MPI's own
 * checks cost 5 % of a short message): "arguments" that ranks and tags are integers; "none" nothing. What would touch
 * memory that is not the caller's is refused either way, and the MPI's own checks are the MPI's.
 */
export type Checks = "arguments" | "none";

/** What a communicator does by default. */
export interface CommunicatorSettings {
  readonly checks?: Checks | undefined;
  /** Of every message of this communicator whose datatype says nothing else. */
  readonly hints?: Hints | undefined;
  /**
   * Operations of reductions. "right": where this MPI's own gives other results than the standard says, one of ours
   * goes in its place. "mpi": always its own, for ranks that are C or Python programs and give that too: MPICH takes
   * other algorithms for operations that a program made, and waits for ever where ranks differ. Default: "right".
   */
  readonly operations?: "right" | "mpi" | undefined;
  /** Time limit of blocking calls that are given none. Default: no limit. */
  readonly timeoutMs?: number | undefined;
}

const RULES: Rules<CommunicatorSettings> = {
  checks: oneOf("arguments", "none"),
  hints: AN_OBJECT,
  operations: oneOf("right", "mpi"),
  timeoutMs: A_LIMIT,
};

/** Throws an ArgumentError for settings that there are not. */
export function checkSettings(settings: CommunicatorSettings): void {
  checkOptions("settings of a communicator", settings, RULES);
  if (settings.hints !== undefined) checkHints(settings.hints);
}
