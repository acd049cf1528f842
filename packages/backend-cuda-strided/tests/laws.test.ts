import { describeBackend } from "@stowage/conformance";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { testMemory } from "@stowage/cuda-plans";
import { CudaStridedBackend, DoorbellBackend } from "../src/index.js";

const driver = openSimulatedCuda();
const context = driver.context();
// A case on the simulated device takes as long as some on the host: a third of the usual number.
const limits = {
  runs: Math.ceil(Number(process.env["STOWAGE_LAW_RUNS"] ?? 450) / 3),
} as const;

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

const strided = new CudaStridedBackend(() => driver);

describeBackend("a doorbell to and from the host", () => new DoorbellBackend(strided, { idleMicroseconds: 1 }), {
  runs: Math.ceil(limits.runs / 10),
  scattered: testMemory(context, "device"),
  packed: testMemory(context, "pinned"),
});
