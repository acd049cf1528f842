import { describeProgram } from "../describe-programs.js";

for (const program of ["devices", "direct"]) describeProgram(program, [1, 2, 4]);
describeProgram("nccl", [2, 4], { "of a GPU each": { STOWAGE_TEST_GPUS: "each" } });
