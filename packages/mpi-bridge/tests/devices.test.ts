import { describeProgram } from "./describe-programs.js";

// One rank and four: tests/long.
describeProgram("devices", [2]);
