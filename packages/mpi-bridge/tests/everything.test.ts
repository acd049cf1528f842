import { describeProgram } from "./describe-programs.js";

describeProgram("everything", [1, 2, 4]);
