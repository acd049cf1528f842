/** What a caller asked of a move that cannot be. The message is one line: subject, expected, got. */
export class BindingError extends Error {
  override readonly name = "BindingError";
  readonly subject: string;
  readonly expected: string;
  readonly got: string;

  constructor(subject: string, expected: string, got: string, options?: ErrorOptions) {
    super(`${subject}: expected ${expected}, got ${got}`, options);
    this.subject = subject;
    this.expected = expected;
    this.got = got;
  }
}

/** compile was asked for moves that supports() refuses. */
export class UnsupportedMoveError extends Error {
  override readonly name = "UnsupportedMoveError";

  constructor(backend: string, reason: string) {
    super(`backend ${backend}: expected moves that it supports, got moves it refuses: ${reason}`);
  }
}

/** An artifact of another backend or format, or damaged. */
export class ArtifactError extends Error {
  override readonly name = "ArtifactError";
}

/** A kernel or plan was used after it had been disposed of. */
export class DisposedError extends Error {
  override readonly name = "DisposedError";

  constructor(subject: string) {
    super(`${subject}: expected one in use, got a disposed one`);
  }
}

/** A device or its driver failed, or is not there. The message names the call and the driver's own text. */
export class DeviceError extends Error {
  override readonly name = "DeviceError";
}
