import { StowageError } from "@stowage/ir";

/** A workload that is not there, or a size it cannot have. The message is one line: subject, expected, got. */
export class WorkloadError extends StowageError {
  override readonly name = "WorkloadError";

  constructor(subject: string, expected: string, got: string) {
    super("STOWAGE_WORKLOAD", { subject, expected, got });
  }
}
