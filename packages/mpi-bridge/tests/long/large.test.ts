import { describeProgram } from "../describe-programs.js";

describeProgram("large", [2]);
