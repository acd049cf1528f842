import { describeProgram } from "../describe-programs.js";

describeProgram("reductions-alone", [1, 2, 3, 4], { "with many elements": { STOWAGE_TEST_ELEMENTS: "many" } });
