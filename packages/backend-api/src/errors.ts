import { StowageError } from "@stowage/ir";

/** What a caller asked of a move that cannot be. The message is one line: subject, expected, got. */
export class BindingError extends StowageError {
  override readonly name = "BindingError";

  constructor(subject: string, expected: string, got: string, options?: ErrorOptions) {
    super("STOWAGE_BINDING", { subject, expected, got }, options);
  }
}

/** compile was asked for moves that supports() refuses. */
export class UnsupportedMoveError extends StowageError {
  override readonly name = "UnsupportedMoveError";

  constructor(backend: string, reason: string) {
    super("STOWAGE_UNSUPPORTED_MOVE", {
      subject: `backend ${backend}`,
      expected: "moves that it supports",
      got: `moves it refuses: ${reason}`,
    });
  }
}

/** An artifact of another backend or format, or damaged. */
export class ArtifactError extends StowageError {
  override readonly name = "ArtifactError";

  constructor(message: string, options?: ErrorOptions) {
    super("STOWAGE_ARTIFACT", message, options);
  }
}

/** A kernel or plan was used after it had been disposed of. */
export class DisposedError extends StowageError {
  override readonly name = "DisposedError";

  constructor(subject: string) {
    super("STOWAGE_DISPOSED", { subject, expected: "one in use", got: "a disposed one" });
  }
}

/** A device or its driver failed, or is not there. The message names the call and the driver's own text. */
export class DeviceError extends StowageError {
  override readonly name = "DeviceError";

  constructor(message: string, options?: ErrorOptions) {
    super("STOWAGE_DEVICE", message, options);
  }
}
