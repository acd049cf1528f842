import { describeProgram } from "./describe-programs.js";

describeProgram("shared-memory", [2]);
