import type { Asked, Subject } from "@stowage/bench";
import { benchOnDevice, DEVICE_ROUTES, Gpu } from "@stowage/bench/device";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { createEngine } from "@stowage/selector";
import { askedBackends, deviceContenders } from "../contenders/device-contenders.js";
import { deviceTable } from "../tables/device-table.js";
import type { BenchOptions } from "./options.js";
import { runBench } from "./run.js";

/** `stowage bench --device cuda`. */
export async function benchWithDevice(subjects: readonly Subject[], options: BenchOptions): Promise<void> {
  const { route = "device" } = options;
  const driver = options.simulated === true ? openSimulatedCuda() : openCuda();
  using gpu = new Gpu(driver);
  using engine = createEngine({ cuda: () => driver });
  const backends = askedBackends(engine, options.backend ?? "all");
  const measure = (asked: Asked) => {
    gpu.warmUp();
    return benchOnDevice(gpu, {
      ...asked,
      routes: route === "all" ? DEVICE_ROUTES : [route],
      contenders: (input, _, where) => deviceContenders(gpu, engine, backends, input, where),
    });
  };
  await runBench(subjects, options, gpu.machine, measure, deviceTable);
}
