import { StowageError } from "@stowage/ir";

/** What NCCL refused, or a libnccl that cannot be used: one line with the call and NCCL's own message. */
export class NcclError extends StowageError {
  override readonly name = "NcclError";

  constructor(subject: string, text: string, options?: ErrorOptions) {
    super("STOWAGE_NCCL", `${subject}: ${text.trim().replaceAll(/\s+/g, " ")}`, options);
  }
}
