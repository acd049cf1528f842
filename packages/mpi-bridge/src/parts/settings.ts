import { checkHints, type Hints } from "../message/datatype/hints.js";
import { A_TIME_LIMIT, AN_OBJECT, givenOptions, oneOf, rulesOf } from "../option-rules.js";

/**
 * Which mistakes of callers are looked for before MPI is asked (paper: Balaji et al. 2010, section 3.9, where MPI's own
 * checks cost 5 % of a short message): "arguments" that ranks and tags are integers; "none" nothing. What would touch
 * memory that is not the caller's is refused either way, and the MPI's own checks are the MPI's.
 */
export type Checks = "arguments" | "none";

/** What a communicator does by default. */
export interface CommunicatorSettings {
  /** Which mistakes are looked for before MPI is asked. Default: "arguments". */
  readonly checks?: Checks | undefined;
  /** Hints for every message of this communicator whose datatype has none of its own. */
  readonly hints?: Hints | undefined;
  /**
   * Operations of reductions. "right": where this MPI's own gives other results than the standard says, one of ours
   * goes in its place. "mpi": always its own, for ranks that are C or Python programs and give that too: MPICH takes
   * other algorithms for operations that a program made, and waits for ever where ranks differ. Default: "right".
   */
  readonly operations?: "right" | "mpi" | undefined;
  /** The time limit of blocking calls that are given none, in milliseconds. Default: no limit. */
  readonly timeoutMs?: number | undefined;
}

const SETTINGS = rulesOf<CommunicatorSettings>({
  checks: oneOf("arguments", "none"),
  hints: AN_OBJECT,
  operations: oneOf("right", "mpi"),
  timeoutMs: A_TIME_LIMIT,
});

/** Throws a BridgeError for settings that there are not. */
export function checkSettings(settings: CommunicatorSettings): void {
  const { hints } = givenOptions(settings, SETTINGS, "settings of a communicator");
  if (hints !== undefined) checkHints(hints);
}
