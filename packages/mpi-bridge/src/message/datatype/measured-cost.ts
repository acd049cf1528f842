import type { Route } from "./hints.js";

/** What moving elements costs one way and the other, in nanoseconds; the minima of runs that took turns. */
export interface MeasuredCost {
  readonly route: Route;
  /** MPI_Pack: what the MPI does inside a message of a committed type. */
  readonly nativeNs: number;
  /** Our engine's pack, and the MPI's copy of the packed bytes that a committed type does not need. */
  readonly packedNs: number;
  /** Whether packed messages that block go as two blocks with a gap between, which this MPI moves faster here. */
  readonly apart?: boolean;
}
