import { outputFile, outputFolder, PACKED_BYTES_EXPECTED, parsePackedBytes } from "@stowage/bench";
import { requireDrawing } from "../report/require-drawing.js";
import type { ValueKind } from "./value-kind.js";

// What takes the harness to read: it is loaded for command lines that have such an option.

/** Throws one line where nothing can be written there, or what draws plots is not installed. */
export function lookAtOutput(
  subject: string,
  { of, isDrawn }: Extract<ValueKind, { kind: "output" }>,
  path: string,
): void {
  if (isDrawn === true) requireDrawing(subject);
  if (of === "file") outputFile(path, subject);
  else outputFolder(path, subject);
}

/** Throws one line where a text is no size. */
export function readBytes(
  subject: string,
  { isList, mayBeZero }: Extract<ValueKind, { kind: "bytes" }>,
  text: string,
): number | readonly number[] {
  const read = (each: string): number => {
    if (mayBeZero === true && each.trim() === "0") return 0;
    const bytes = parsePackedBytes(each);
    if (bytes !== undefined) return bytes;
    throw new Error(`${subject}: expected ${PACKED_BYTES_EXPECTED}, got ${each === "" ? "nothing" : each}`);
  };
  return isList === true ? text.split(",").map(read) : read(text);
}
