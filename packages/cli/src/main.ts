import { createProgram } from "./program.js";
import { runProgram } from "./run-program.js";

process.exitCode = await runProgram(createProgram(), process.argv);
