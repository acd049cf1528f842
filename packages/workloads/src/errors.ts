import { StowageError } from "@stowage/ir";

/** The error of a workload that is not there, or a size that it cannot have. One line: subject, expected, got. */
export class WorkloadError extends StowageError {
  override readonly name = "WorkloadError";

  constructor(subject: string, expected: string, got: string) {
    super("STOWAGE_WORKLOAD", { subject, expected, got });
  }
}
