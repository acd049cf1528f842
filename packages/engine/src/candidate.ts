import type { Backend, Prediction, Support } from "@stowage/backend-api";

/** What one backend said when it was asked to take some moves. */
export interface Candidate {
  readonly backend: Backend;
  readonly support: Support;
  /** What it takes, as far as it was predicted, for one element where the count is not known. */
  readonly prediction?: Prediction | undefined;
}
