import { describeProgram } from "../describe-programs.js";

describeProgram("devices", [1, 4]);
