import type { Backend, Prediction, Support } from "@stowage/backend-api";

/** What one backend said when it was asked to take some moves. */
export interface Candidate {
  readonly backend: Backend;
  /** Whether the backend takes the moves, and where not, why. */
  readonly support: Support;
  /** The predicted times, for one element where the count is not known; absent where none were predicted. */
  readonly prediction?: Prediction | undefined;
}
