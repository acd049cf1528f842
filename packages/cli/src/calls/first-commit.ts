import { Gpu } from "@stowage/bench/device";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { createEngine } from "@stowage/selector";
import { TOLD } from "./types.js";

// The first commit of a process, in nanoseconds: `first-commit.js BACKEND DATATYPE host|cuda|simulated`. The engine,
// and a device's context, are there before.

const [, , backend = "", name = "", where = "host"] = process.argv;
const elements = TOLD.find((each) => each.name === name);
if (elements === undefined) throw new Error(`datatype: expected one of those that are told, got ${name}`);
const driver = where === "host" ? undefined : where === "cuda" ? openCuda() : openSimulatedCuda();
using gpu = driver === undefined ? undefined : new Gpu(driver);
using engine = createEngine({ backend, ...(driver === undefined ? {} : { cuda: () => driver }) });
const begin = performance.now();
engine.commit(elements.datatype, gpu === undefined ? {} : { memory: "device", packedMemory: "device" }).compile("pack");
process.stdout.write(String((performance.now() - begin) * 1e6));
