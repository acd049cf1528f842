import { spawnSync } from "node:child_process";
import { describeProgram } from "./describe-programs.js";

/** Open MPI's windows by messages are gone in 5.0, where those of "rdma" go by messages of its transports. */
const hasPt2pt = /MCA osc: pt2pt/.test(spawnSync("ompi_info", { encoding: "utf8" }).stdout ?? "");
const BY_MESSAGES = { OMPI_MCA_osc: hasPt2pt ? "pt2pt" : "rdma" };

// Other numbers of ranks, and all programs under both MPIs: tests/long.
// Windows by messages: their locks are granted later than asked for.
describeProgram("devices", [2], { "with windows by messages": BY_MESSAGES }, ["openmpi"]);
describeProgram("direct", [2], { "that order the GPUs otherwise": { STOWAGE_TEST_GPUS: "own" } }, ["mpich"]);
describeProgram("nccl", [2], { "of a GPU each": { STOWAGE_TEST_GPUS: "each" } }, ["openmpi"]);
