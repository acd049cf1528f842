import { checkHints, type Hints } from "../message/datatype/hints.js";
import { BridgeError } from "../errors.js";
import { givenOptions, type Names } from "../option-rules.js";
import { quoted } from "@stowage/ir";

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

const NAMES: Names = new Set(["checks", "hints", "operations", "timeoutMs"]);

export function checkSettings(settings: CommunicatorSettings): void {
  const { checks, hints, operations } = givenOptions(settings, NAMES, "settings of a communicator");
  if (checks !== undefined && checks !== "arguments" && checks !== "none") {
    throw new BridgeError("checks of a communicator", "arguments or none", quoted(checks));
  }
  if (hints !== undefined) checkHints(hints);
  if (operations !== undefined && operations !== "right" && operations !== "mpi") {
    throw new BridgeError("operations of a communicator", "right or mpi", quoted(operations));
  }
}
