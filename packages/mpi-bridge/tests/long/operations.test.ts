import { describeProgram } from "../describe-programs.js";

describeProgram("operations", [1, 3, 4]);
