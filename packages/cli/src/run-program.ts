import { CommanderError, type Command } from "commander";
import { EXIT, exitCodeOf } from "./exit-code.js";

/**
 * Runs a command line and returns its exit code; `argv` is as `process.argv` has it. Errors are printed as one line,
 * with the stack only where --trace asks for it.
 */
export const runProgram = (program: Command, argv: readonly string[]): Promise<number> =>
  exitCodeOf(
    () => parsed(program, argv),
    () => program.opts<{ trace?: boolean }>().trace === true,
  );

async function parsed(program: Command, argv: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(argv);
    return EXIT.success;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed its own message by now; asking for help or the version is no error.
    return error.exitCode === 0 ? EXIT.success : EXIT.badInput;
  }
}
