import { StowageError } from "@stowage/ir";

/** A call of the MPI library that failed. The message is one line: the call, then the library's own words. */
export class MpiError extends StowageError {
  override readonly name = "MpiError";
  readonly call: string;
  /** The error code that the call returned. */
  readonly returned: number;

  constructor(call: string, returned: number, text: string) {
    super("STOWAGE_MPI", `${call}: ${text}`);
    this.call = call;
    this.returned = returned;
  }
}

/** A library that cannot serve: not there, no MPI, of another ABI, or without a call that was asked of it. */
export class MpiLibraryError extends StowageError {
  override readonly name = "MpiLibraryError";

  constructor(message: string, options?: ErrorOptions) {
    super("STOWAGE_MPI_LIBRARY", message, options);
  }
}
