import { StowageError } from "@stowage/ir";

/** What a caller asked of a message, a request or a communicator that cannot be. One line: subject, expected, got. */
export class BridgeError extends StowageError {
  override readonly name = "BridgeError";

  constructor(subject: string, expected: string, got: string, options?: ErrorOptions) {
    super("STOWAGE_MPI", { subject, expected, got }, options);
  }
}

/**
 * A wait that was given a time limit reached it. What was waited for is cancelled where MPI can, else it stays under
 * way.
 */
export class MpiTimeoutError extends StowageError {
  override readonly name = "MpiTimeoutError";

  constructor(subject: string, limitMs: number) {
    super("STOWAGE_MPI", { subject, expected: `an end within ${limitMs} ms`, got: "none" });
  }
}
