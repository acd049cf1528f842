import { describeProgram } from "../describe-programs.js";

for (const program of ["devices", "direct"]) describeProgram(program, [1, 2, 4]);
