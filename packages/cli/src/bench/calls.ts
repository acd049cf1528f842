import type { Backend } from "@stowage/backend-api";
import { Gpu } from "@stowage/bench/device";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { createEngine, type Engine } from "@stowage/selector";
import { benchCalls } from "../calls/bench-calls.js";
import { firstCommitNs } from "../calls/first-commit-time.js";
import { takesDeviceMemory } from "../contenders/device-contenders.js";
import { hostBackends } from "../contenders/host-contenders.js";
import { callsText } from "../tables/calls-text.js";
import type { BenchOptions } from "./options.js";
import { runBench } from "./run.js";

/** `stowage bench --calls`. */
export async function benchTheCalls(options: BenchOptions): Promise<void> {
  const driver =
    options.device === undefined ? undefined : options.simulated === true ? openSimulatedCuda() : openCuda();
  using gpu = driver === undefined ? undefined : new Gpu(driver);
  using engine = createEngine(driver === undefined ? {} : { cuda: () => driver });
  const backends = backendsOf(engine, options.backend ?? "all", gpu !== undefined);
  const machine = gpu?.machine ?? { gpu: null, driver: null };
  await runBench(
    [],
    options,
    machine,
    ({ remark = () => undefined }) => {
      gpu?.warmUp();
      const where = driver === undefined ? "host" : driver.simulated ? "simulated" : "cuda";
      const firstCommit = (backend: string, type: string): number | undefined => firstCommitNs(backend, type, where);
      const rows = benchCalls({ backends, gpu, budgetMs: options.budgetMs, firstCommitNs: firstCommit, remark });
      return Promise.resolve({ rows, differences: [] });
    },
    callsText,
  );
}

function backendsOf(engine: Engine, asked: string, onDevice: boolean): readonly Backend[] {
  const host = hostBackends(engine);
  const able = engine.backends.filter((each) => (onDevice ? takesDeviceMemory(each) : host.includes(each.name)));
  if (asked === "all") return able;
  const names = asked.split(",");
  const unknown = names.find((name) => !able.some((each) => each.name === name));
  if (unknown === undefined) return able.filter(({ name }) => names.includes(name));
  throw new Error(`--backend: expected all or some of ${able.map(({ name }) => name).join(", ")}, got ${unknown}`);
}
