import { watchOutput } from "./output-failure.js";
import { writeError, writeFault } from "./print.js";
import { createProgram } from "./program.js";
import { EXIT, runProgram } from "./run-program.js";

const output = watchOutput(process.stdout);
watchOutput(process.stderr);
process.exitCode = await runProgram(createProgram(), process.argv);
const failure = await output.settled();
if (failure !== undefined) {
  writeFault(writeError(failure).message);
  process.exitCode = EXIT.badInput;
}
