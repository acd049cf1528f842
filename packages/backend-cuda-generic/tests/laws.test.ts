import { describeBackend } from "@stowage/conformance";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { testMemory } from "@stowage/cuda-plans";
import { CudaGenericBackend } from "../src/index.js";

const driver = openSimulatedCuda();
const context = driver.context();
const device = testMemory(context, "device");
// A case on the simulated device takes as long as some on the host: a third of the usual number.
const runs = Math.ceil(Number(process.env["STOWAGE_LAW_RUNS"] ?? 900) / 3);

describeBackend("cuda-generic, on a device", () => new CudaGenericBackend({ driver }), {
  scattered: device,
  packed: device,
  runs,
});

describeBackend(
  "cuda-generic, one-shot to pinned memory on 3 multiprocessors",
  () => new CudaGenericBackend({ driver }),
  {
    scattered: device,
    packed: testMemory(context, "pinned"),
    conditions: { smBudget: 3 },
    runs: Math.ceil(runs / 3),
  },
);

describeBackend(
  "cuda-generic, the specialised tier",
  () => new CudaGenericBackend({ driver, tuning: { tier: "specialised" } }),
  { scattered: device, packed: device, runs: Math.ceil(runs / 3) },
);

describeBackend(
  "cuda-generic, every member a transfer of its own, one word a thread",
  () => new CudaGenericBackend({ driver, tuning: { partBytes: 1, unroll: 1 } }),
  { scattered: device, packed: device, runs: Math.ceil(runs / 3) },
);

describeBackend(
  "cuda-generic, as the paper has it: a byte a thread, whole lists searched, parameters read in place",
  () =>
    new CudaGenericBackend({
      driver,
      tuning: { maxWordBytes: 1, chunks: false, unroll: 1, coarseSearch: false, planSpace: "parameters" },
    }),
  { scattered: device, packed: device, runs: Math.ceil(runs / 3) },
);

describeBackend(
  "cuda-generic, parameters read from device memory",
  () => new CudaGenericBackend({ driver, tuning: { planSpace: "memory" } }),
  { scattered: device, packed: device, runs: Math.ceil(runs / 3) },
);
