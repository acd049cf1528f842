/** A call of the MPI library that failed. The message is one line: the call, then the library's own words. */
export class MpiError extends Error {
  override readonly name = "MpiError";
  readonly call: string;
  /** The error code that the call returned. */
  readonly code: number;

  constructor(call: string, code: number, text: string) {
    super(`${call}: ${text}`);
    this.call = call;
    this.code = code;
  }
}

/** A library that cannot serve: not there, no MPI, of another ABI, or without a call that was asked of it. */
export class MpiLibraryError extends Error {
  override readonly name = "MpiLibraryError";
}
