import { StowageError } from "@stowage/ir";

/** What LLVM refused, or a libLLVM that cannot be used: one line with the call and LLVM's own message. */
export class LlvmError extends StowageError {
  override readonly name = "LlvmError";

  constructor(subject: string, expected: string, got: string, options?: ErrorOptions) {
    super("STOWAGE_LLVM", { subject, expected, got: inOneLine(got) }, options);
  }
}

const inOneLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("; ");
