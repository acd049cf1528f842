import { StowageError } from "@stowage/ir";

/**
 * A caller asked a move for what cannot be: memory, a count, a range or a table that is wrong. Its code is
 * "STOWAGE_BINDING". The message is one line: subject, expected, got.
 */
export class BindingError extends StowageError {
  override readonly name = "BindingError";

  /** Makes the message `subject: expected ..., got ...` of its three parts. */
  constructor(subject: string, expected: string, got: string, options?: ErrorOptions) {
    super("STOWAGE_BINDING", { subject, expected, got }, options);
  }
}

/** compile was called for moves that supports() refuses. Its code is "STOWAGE_UNSUPPORTED_MOVE". */
export class UnsupportedMoveError extends StowageError {
  override readonly name = "UnsupportedMoveError";

  /** Takes the backend's name, and the reason that its supports() gave. */
  constructor(backend: string, reason: string) {
    super("STOWAGE_UNSUPPORTED_MOVE", {
      subject: `backend ${backend}`,
      expected: "moves that it supports",
      got: `moves it refuses: ${reason}`,
    });
  }
}

/** An artifact is of another backend or format version, or damaged. Its code is "STOWAGE_ARTIFACT". */
export class ArtifactError extends StowageError {
  override readonly name = "ArtifactError";

  /** Takes the whole message: one line of subject, expected and got. */
  constructor(message: string, options?: ErrorOptions) {
    super("STOWAGE_ARTIFACT", message, options);
  }
}

/** A kernel or plan was used after it had been disposed of. Its code is "STOWAGE_DISPOSED". */
export class DisposedError extends StowageError {
  override readonly name = "DisposedError";

  /** Takes what was used, such as "plan". */
  constructor(subject: string) {
    super("STOWAGE_DISPOSED", { subject, expected: "one in use", got: "a disposed one" });
  }
}

/**
 * A device or its driver failed, or is not there. Its code is "STOWAGE_DEVICE". The message names the call and the
 * driver's own text.
 */
export class DeviceError extends StowageError {
  override readonly name = "DeviceError";

  /** Takes the whole message. */
  constructor(message: string, options?: ErrorOptions) {
    super("STOWAGE_DEVICE", message, options);
  }
}
