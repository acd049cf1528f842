import { describeProgram } from "./describe-programs.js";

// Other numbers of ranks, and all programs under both MPIs: tests/long.
describeProgram("devices", [2], undefined, ["openmpi"]);
describeProgram("direct", [2], { "that order the GPUs otherwise": { STOWAGE_TEST_GPUS: "own" } }, ["mpich"]);
describeProgram("nccl", [2], { "of a GPU each": { STOWAGE_TEST_GPUS: "each" } }, ["openmpi"]);
