import { watchOutput } from "./output-failure.js";
import { writeError } from "./print.js";
import { createProgram } from "./program.js";
import { EXIT, runProgram } from "./run-program.js";

const output = watchOutput(process.stdout);
watchOutput(process.stderr);
process.exitCode = await runProgram(createProgram(), process.argv);
const failure = await output.settled();
if (failure !== undefined) {
  process.stderr.write(`stowage: ${writeError(failure).message}\n`);
  process.exitCode = EXIT.badInput;
}
