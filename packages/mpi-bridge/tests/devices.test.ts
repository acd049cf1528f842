import { describeProgram } from "./describe-programs.js";

// Other numbers of ranks, and all programs under both MPIs: tests/long.
// Windows by messages: their locks are granted later than asked for.
describeProgram("devices", [2], { "with windows by messages": { OMPI_MCA_osc: "pt2pt" } }, ["openmpi"]);
describeProgram("direct", [2], { "that order the GPUs otherwise": { STOWAGE_TEST_GPUS: "own" } }, ["mpich"]);
describeProgram("nccl", [2], { "of a GPU each": { STOWAGE_TEST_GPUS: "each" } }, ["openmpi"]);
