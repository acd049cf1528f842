import { constants } from "node:os";
import { writeFault } from "./print.js";
import { printable } from "./printable.js";

/** The command did its work, and found that something is not as it should be. */
export class FindingError extends Error {
  override readonly name = "FindingError";
}

/** What a command's exit code says; an interrupted command ends with 128 and the signal's number, as shells have it. */
export const EXIT = { success: 0, finding: 1, badInput: 2 } as const;

/** The exit code of a command. Errors are one line, with the stack only where it is asked for. */
export async function exitCodeOf(command: () => Promise<number>, isTraced: () => boolean): Promise<number> {
  try {
    return await command();
  } catch (error) {
    tell(first(error), isTraced());
    return codeOf(first(error));
  }
}

/** By name: what defines the errors of a command is loaded with the command alone. */
function codeOf(error: unknown): number {
  if (!(error instanceof Error)) return EXIT.badInput;
  if (error.name === "InterruptedError" && "signal" in error)
    return 128 + constants.signals[error.signal as NodeJS.Signals];
  return ["FindingError", "WrongBytesError"].includes(error.name) ? EXIT.finding : EXIT.badInput;
}

/** Where disposing of resources failed as well, the error that came first. */
function first(error: unknown): unknown {
  return error instanceof Error && error.name === "SuppressedError" && "suppressed" in error
    ? first(error.suppressed)
    : error;
}

function tell(error: unknown, trace: boolean): void {
  if (!(error instanceof Error)) return writeFault(String(error));
  if (trace) process.stderr.write(`stowage: ${printable(error.stack ?? error.message)}\n`);
  else writeFault(error.message);
}
