import { describeBackend } from "@stowage/conformance";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { CudaStridedBackend } from "../src/index.js";
import { deviceMemory, pinnedMemory } from "./device-memory.js";

const driver = openSimulatedCuda();
const context = driver.context();
const limits = { directions: ["pack", "unpack"], runs: Number(process.env["STOWAGE_LAW_RUNS"] ?? 150) } as const;

describeBackend("cuda-strided on the device", () => new CudaStridedBackend(() => driver), {
  ...limits,
  scattered: deviceMemory(context),
  packed: deviceMemory(context),
});

describeBackend("cuda-strided to and from the host", () => new CudaStridedBackend(() => driver), {
  ...limits,
  scattered: deviceMemory(context),
  packed: pinnedMemory(context),
  conditions: { smBudget: 4 },
});
