import { describeBackend } from "@stowage/conformance";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { testMemory } from "@stowage/cuda-plans";
import { DmaBackend } from "../src/index.js";

const driver = openSimulatedCuda();
const context = driver.context();
// A case on the simulated device takes as long as some on the host: a third of the usual number.
const limits = { runs: Math.ceil(Number(process.env["STOWAGE_LAW_RUNS"] ?? 450) / 3) } as const;

describeBackend("dma on the device", () => new DmaBackend(() => driver), {
  ...limits,
  scattered: testMemory(context, "device"),
  packed: testMemory(context, "device"),
});

describeBackend("dma to and from the host", () => new DmaBackend(() => driver), {
  ...limits,
  scattered: testMemory(context, "device"),
  packed: testMemory(context, "pinned"),
});
