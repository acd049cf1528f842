import { StowageError } from "@stowage/ir";

/**
 * The error of what a caller asked of a message, a request, a communicator, a window or a file that cannot be. Its
 * message is one line: subject, expected, got. What MPI itself refuses is an MpiError of `@stowage/mpi-abi`.
 */
export class BridgeError extends StowageError {
  override readonly name = "BridgeError";

  constructor(subject: string, expected: string, got: string, options?: ErrorOptions) {
    super("STOWAGE_MPI", { subject, expected, got }, options);
  }
}

/**
 * The error of a wait that reached the time limit it was given. What was waited for is cancelled where MPI can, else it
 * stays under way.
 */
export class MpiTimeoutError extends StowageError {
  override readonly name = "MpiTimeoutError";

  constructor(subject: string, limitMs: number) {
    super("STOWAGE_MPI", { subject, expected: `an end within ${limitMs} ms`, got: "none" });
  }
}
