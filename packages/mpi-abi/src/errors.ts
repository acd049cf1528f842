import { StowageError } from "@stowage/ir";

/**
 * The error of a call of the MPI library that failed. Its message is one line: the call, the class, then the library's
 * own words.
 */
export class MpiError extends StowageError {
  override readonly name = "MpiError";
  /** The name of the call, such as "MPI_Type_vector". */
  readonly call: string;
  /** The error code that the call returned. */
  readonly returned: number;
  /** The class of that code (MPI 4.1, section 9.4), such as MPI_ERR_TRUNCATE; the same in every MPI. */
  readonly errorClass: string;

  constructor(call: string, returned: number, errorClass: string, text: string) {
    super("STOWAGE_MPI", text.startsWith(errorClass) ? `${call}: ${text}` : `${call}: ${errorClass}: ${text}`);
    this.call = call;
    this.returned = returned;
    this.errorClass = errorClass;
  }
}

/**
 * The error of a library that cannot serve: it is not there, no MPI, of another ABI, or without a call that was asked
 * of it; and of arguments that most MPIs would end the process for.
 */
export class MpiLibraryError extends StowageError {
  override readonly name = "MpiLibraryError";

  constructor(message: string, options?: ErrorOptions) {
    super("STOWAGE_MPI_LIBRARY", message, options);
  }
}
