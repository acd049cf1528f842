import { ArgumentError, quoted } from "@stowage/ir";

/** Throws an ArgumentError where plain JavaScript handed over what is no number. */
export function requireNumber(value: number, subject: string): number {
  if (typeof value === "number") return value;
  throw new ArgumentError(subject, "a number", quoted(value));
}

/** Returns a text as it is. Throws an ArgumentError that begins with `subject` for anything else. */
export function requireText(value: string, subject: string): string {
  if (typeof value === "string") return value;
  throw new ArgumentError(subject, "a text", quoted(value));
}
