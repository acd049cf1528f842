import { conditions, packMove, type Backend } from "@stowage/backend-api";
import { canonicalise, indexed, lower, predefined, vector } from "@stowage/ir";
import { choose, type Engine } from "@stowage/selector";
import { cellsOf, type Cell } from "../bench/cell.js";
import type { Contender } from "../bench/contender.js";
import type { Interruption } from "../bench/interruption.js";
import { measureCell } from "../bench/measure-cell.js";
import { workloadOfSize } from "../bench/named-workloads.js";
import { DEFAULT_SAMPLING } from "../bench/sample.js";
import { progressBar } from "../progress.js";
import type { ResultRow } from "../results/schema.js";
import { FindingError } from "../run-program.js";
import { backendContender } from "./backend-contender.js";
import { CellInput } from "./cell-input.js";
import { copyRouteContender, memcpyContender } from "./copy-contenders.js";
import type { Gpu } from "./gpu.js";
import { packedKind, type DeviceRoute } from "./routes.js";

export interface DeviceBench {
  /** Workloads by name. */
  readonly workloads: readonly string[];
  /** Packed sizes to scale each to; undefined: as published. */
  readonly sizes: readonly (number | undefined)[];
  /** Elements of each datatype; absent: the workload's own. */
  readonly count?: number | undefined;
  /** Backends by name; "all" of those that take device memory; or "auto", the engine's choice for each cell. */
  readonly backends: "all" | "auto" | readonly string[];
  readonly routes: readonly DeviceRoute[];
  /** Time to spend on each contender of a cell. */
  readonly budgetMs: number;
  readonly interrupted: Interruption;
  /** Told after every cell. */
  readonly keep: (rows: readonly ResultRow[]) => void;
  /** Told what a person should know, one line each. */
  readonly remark: (line: string) => void;
}

export interface DeviceBenched {
  readonly rows: readonly ResultRow[];
  /** Cells without rows, for a contender moved other bytes than it must. */
  readonly differences: readonly string[];
}

/** Backends on a device's memory beside the driver's own copies, taking turns cell by cell on the same data. */
export async function benchOnDevice(gpu: Gpu, engine: Engine, bench: DeviceBench): Promise<DeviceBenched> {
  const { workloads, sizes, interrupted, keep, remark } = bench;
  const rows: ResultRow[] = [];
  const differences: string[] = [];
  const asked = sizes.flatMap((size) => workloads.map((name) => ({ name, size })));
  const bar = progressBar("bench", asked.length);
  for (const { name, size } of asked) {
    try {
      for await (const measured of measureWorkload(gpu, engine, bench, name, size)) {
        rows.push(...measured);
        keep(rows);
      }
    } catch (error) {
      if (!(error instanceof FindingError)) throw error;
      differences.push(error.message);
      remark(error.message);
    }
    bar?.increment();
    if (await interrupted.seen()) break;
  }
  bar?.stop();
  return { rows, differences };
}

/** Each contender has memory of its own, and a simulated device's is this process's. */
const MOST_SIMULATED_BYTES = 2 ** 25;

/** The rows of each direction and route of a workload, until the user asks to stop. */
async function* measureWorkload(
  gpu: Gpu,
  engine: Engine,
  bench: DeviceBench,
  name: string,
  size: number | undefined,
): AsyncGenerator<readonly ResultRow[]> {
  const named = workloadOfSize(name, size);
  const cells = cellsOf(named.name, named.datatype, bench.count ?? named.count);
  const [first] = cells as readonly [Cell];
  if (gpu.driver.simulated && first.pattern.sizeBytes > MOST_SIMULATED_BYTES) {
    bench.remark(`${name}: it lies in ${first.pattern.sizeBytes} bytes, more than the ${MOST_SIMULATED_BYTES} of a simulated cell`);
    return;
  }
  using input = new CellInput(gpu, first);
  for (const cell of cells) {
    for (const route of bench.routes) {
      const contenders = contendersOf(gpu, engine, input, bench.backends, cell, route);
      const { rows, refusals } = measureCell(cell, contenders, { ...DEFAULT_SAMPLING, budgetMs: bench.budgetMs });
      for (const refusal of refusals) bench.remark(`${name}, ${cell.direction}, ${route}: ${refusal}`);
      yield rows;
      if (await bench.interrupted.seen()) return;
    }
  }
}

function contendersOf(
  gpu: Gpu,
  engine: Engine,
  input: CellInput,
  asked: DeviceBench["backends"],
  cell: Cell,
  route: DeviceRoute,
): readonly Contender[] {
  const backends = asked === "auto" ? [choiceFor(engine, input, route)] : backendsNamed(engine, asked);
  return [
    ...backends.map((backend) => backendContender(gpu, input, backend, route)),
    ...copyRouteContender(gpu, input, cell, route),
    memcpyContender(gpu, input, route),
  ];
}

function choiceFor({ backends }: Engine, { layout }: CellInput, route: DeviceRoute): Backend {
  return choose(backends, [packMove(layout)], conditions({ sourceKind: "device", targetKind: packedKind(route) })).chosen;
}

function backendsNamed(engine: Engine, asked: "all" | readonly string[]): readonly Backend[] {
  return engine.backends.filter((backend) => (asked === "all" ? takesDeviceMemory(backend) : asked.includes(backend.name)));
}

/** Whether it takes any layout at all there: those of the host would refuse every cell in the same words. */
function takesDeviceMemory(backend: Backend): boolean {
  const double = predefined("MPI_DOUBLE");
  const types = [double, vector(2, 1, 2, double), indexed([1, 2], [0, 3], double)];
  const onDevice = conditions({ sourceKind: "device", targetKind: "device" });
  return types.some((type) => backend.supports([packMove(canonicalise(lower(type)))], onDevice).ok);
}
