import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { createEngine, type Engine } from "@stowage/selector";
import { interruption } from "../bench/interruption.js";
import { printJson } from "../print.js";
import { heading, writeResults } from "../results/write.js";
import { FindingError } from "../run-program.js";
import { benchOnDevice } from "./bench-on-device.js";
import type { AskedBackends } from "./contenders-of.js";
import { deviceTable } from "./device-table.js";
import { Gpu } from "./gpu.js";
import { DEVICE_ROUTES, type DeviceRoute } from "./routes.js";

/** Options of `stowage bench` that a device heeds. */
export interface DeviceOptions {
  /** Names separated by commas, "auto" for the engine's choice, or "all": the default. */
  readonly backend?: string;
  readonly route?: DeviceRoute | "all";
  readonly size?: readonly number[];
  readonly count?: number;
  readonly budget: number;
  readonly simulated?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

/** `stowage bench --device cuda`. Throws a FindingError, after all else is printed, where a contender moved other bytes. */
export async function benchWithDevice(
  workloads: readonly string[],
  options: DeviceOptions,
  command: string,
): Promise<void> {
  const { out, route = "device" } = options;
  if (options.simulated === true && out !== undefined) {
    throw new Error("--out: expected a device that takes time, got --simulated: its times mean nothing");
  }
  const driver = options.simulated === true ? openSimulatedCuda() : openCuda();
  using gpu = new Gpu(driver);
  using engine = createEngine({ cuda: () => driver });
  using interrupted = interruption();
  const head = heading(command, gpu.machine);
  gpu.warmUp();
  const { rows, differences } = await benchOnDevice(gpu, engine, {
    workloads,
    sizes: options.size ?? [undefined],
    count: options.count,
    backends: backendsOf(engine, options.backend ?? "all"),
    routes: route === "all" ? DEVICE_ROUTES : [route],
    budgetMs: options.budget,
    interrupted,
    keep: (kept) => out !== undefined && writeResults(out, head, kept),
    remark: (line) => process.stderr.write(`stowage: ${line}\n`),
  });
  if (options.json === true) printJson({ ...head, rows });
  else console.log(deviceTable(rows));
  interrupted.throwIfSeen(`${rows.length} rows measured so far were kept`);
  if (differences.length > 0) throw new FindingError(`${differences.length} cells have other bytes than they must`);
}

function backendsOf(engine: Engine, asked: string): AskedBackends {
  if (asked === "all" || asked === "auto") return asked;
  const known = engine.backends.map(({ name }) => name);
  const names = asked.split(",");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new Error(`--backend: expected all, auto or some of ${known.join(", ")}, got ${unknown}`);
}
