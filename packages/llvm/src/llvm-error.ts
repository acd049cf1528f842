import { StowageError } from "@stowage/ir";

/** The error of what LLVM refused, or of a libLLVM that cannot be used: one line with LLVM's own message. */
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
