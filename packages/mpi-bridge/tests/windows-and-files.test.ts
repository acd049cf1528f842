import { describeProgram } from "./describe-programs.js";

// One rank, four, and every pair of layouts: tests/long.
describeProgram("windows-and-files", [2]);
