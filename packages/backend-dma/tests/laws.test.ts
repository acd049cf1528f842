import { describeBackend } from "@stowage/conformance";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { DmaBackend } from "../src/index.js";
import { deviceMemory, pinnedMemory } from "./device-memory.js";

const driver = openSimulatedCuda();
const context = driver.context();
const limits = { runs: Number(process.env["STOWAGE_LAW_RUNS"] ?? 150) } as const;

describeBackend("dma on the device", () => new DmaBackend(() => driver), {
  ...limits,
  scattered: deviceMemory(context),
  packed: deviceMemory(context),
});

describeBackend("dma to and from the host", () => new DmaBackend(() => driver), {
  ...limits,
  scattered: deviceMemory(context),
  packed: pinnedMemory(context),
});
