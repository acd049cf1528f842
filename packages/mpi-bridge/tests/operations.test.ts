import { describeProgram } from "./describe-programs.js";

// One rank, three and four: tests/long.
describeProgram("operations", [2]);
