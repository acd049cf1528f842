import { describeProgram } from "../describe-programs.js";

describeProgram("halo-exchange", [1, 4, 8]);
