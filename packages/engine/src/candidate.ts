import type { Backend, Support } from "@stowage/backend-api";

/** What one backend said when it was asked to take some moves. */
export interface Candidate {
  readonly backend: Backend;
  readonly support: Support;
}
