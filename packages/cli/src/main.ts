import { EXIT, exitCodeOf } from "./exit-code.js";
import { watchOutput } from "./output-failure.js";
import { writeError, writeFault } from "./print.js";

const output = watchOutput(process.stdout);
watchOutput(process.stderr);
process.exitCode = await commandLine(process.argv);
const failure = await output.settled();
if (failure !== undefined) {
  writeFault(writeError(failure).message);
  process.exitCode = EXIT.badInput;
}

/**
 * The exit code of a command line. `stowage run -- COMMAND` is started for every job, and there is nothing to parse in
 * it: what parses takes longer to load than all that a run loads.
 */
async function commandLine(argv: readonly string[]): Promise<number> {
  const [, , name, separator, ...words] = argv;
  if (name === "run" && separator === "--" && words.length > 0) {
    const { run } = await import("./interposer/run.js");
    return exitCodeOf(
      () => run(words, {}),
      () => false,
    );
  }
  const { createProgram } = await import("./program.js");
  const { runProgram } = await import("./run-program.js");
  return runProgram(createProgram(), argv);
}
