import { describeBackend } from "@stowage/conformance";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { testMemory } from "@stowage/cuda-plans";
import { CudaStridedBackend } from "../src/index.js";

const driver = openSimulatedCuda();
const context = driver.context();
const limits = { directions: ["pack", "unpack"], runs: Number(process.env["STOWAGE_LAW_RUNS"] ?? 150) } as const;

describeBackend("cuda-strided on the device", () => new CudaStridedBackend(() => driver), {
  ...limits,
  scattered: testMemory(context, "device"),
  packed: testMemory(context, "device"),
});

describeBackend("cuda-strided to and from the host", () => new CudaStridedBackend(() => driver), {
  ...limits,
  scattered: testMemory(context, "device"),
  packed: testMemory(context, "pinned"),
  conditions: { smBudget: 4 },
});
