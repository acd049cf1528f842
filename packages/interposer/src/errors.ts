import { StowageError } from "@stowage/ir/errors";

/** The error of what the interposer cannot do here, in one line. The program itself can still run without it. */
export class InterposerError extends StowageError {
  override readonly name: string = "InterposerError";

  constructor(what: string, options?: ErrorOptions) {
    super("STOWAGE_MPI", what, options);
  }
}
