import { printable } from "./printable.js";

/**
 * Prints a text and the end of its line on standard output; what a terminal would take for an order is written out.
 * Throws one line where nothing can be written there.
 */
export function print(text: string): void {
  try {
    process.stdout.write(`${printable(text)}\n`);
  } catch (error) {
    throw writeError(error as NodeJS.ErrnoException);
  }
}

/** Prints what went wrong on standard error, in one line. */
export const writeFault = (fault: string): void => void process.stderr.write(`stowage: ${printable(oneLine(fault))}\n`);

/** A program's standard error or a file's name may hold 300,000 letters: of a line that long the middle is left out. */
const LONGEST_FAULT = 1200;

function oneLine(text: string): string {
  const line = text
    .split("\n")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .join(" ");
  if (line.length <= LONGEST_FAULT) return line;
  return `${line.slice(0, LONGEST_FAULT / 2)} … ${line.slice(-LONGEST_FAULT / 2)}`;
}

/** Prints a value as JSON, for programs that read us. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

export const writeError = ({ code = "an error" }: NodeJS.ErrnoException): Error =>
  new Error(`standard output: expected to be written, got ${code}`);
