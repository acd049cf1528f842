import { StowageError } from "@stowage/ir";

/** The error of what NCCL refused, or of a libnccl that cannot be used: one line, the call and NCCL's own message. */
export class NcclError extends StowageError {
  override readonly name = "NcclError";

  constructor(subject: string, text: string, options?: ErrorOptions) {
    super("STOWAGE_NCCL", `${subject}: ${text.trim().replaceAll(/\s+/g, " ")}`, options);
  }
}
