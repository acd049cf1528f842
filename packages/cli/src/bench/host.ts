import { benchHost, type Asked, type Subject } from "@stowage/bench";
import { createEngine } from "@stowage/selector";
import { hostContenders } from "../contenders/host-contenders.js";
import { benchTable } from "../tables/bench-table.js";
import type { BenchOptions } from "./options.js";
import { runBench } from "./run.js";

/** `stowage bench` on the host's memory. */
export async function benchOnHost(subjects: readonly Subject[], options: BenchOptions): Promise<void> {
  using engine = createEngine();
  const contenders = hostContenders(engine, options.backend ?? "auto", options.threads);
  const measure = (asked: Asked) => benchHost({ ...asked, contenders });
  await runBench(subjects, options, { gpu: null, driver: null }, measure, benchTable);
}
