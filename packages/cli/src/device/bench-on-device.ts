import type { Engine } from "@stowage/selector";
import { cellsOf, type Cell } from "../bench/cell.js";
import type { Contender } from "../bench/contender.js";
import type { Interruption } from "../bench/interruption.js";
import { measureCell } from "../bench/measure-cell.js";
import { workloadOfSize } from "../bench/named-workloads.js";
import { DEFAULT_SAMPLING } from "../bench/sample.js";
import { sayOnce } from "../bench/say-once.js";
import { progressBar } from "../progress.js";
import type { ResultRow } from "../results/schema.js";
import { FindingError } from "../run-program.js";
import { CellInput } from "./cell-input.js";
import { contendersOf, type AskedBackends } from "./contenders-of.js";
import type { Gpu } from "./gpu.js";
import type { DeviceRoute } from "./routes.js";

export interface DeviceBench {
  /** Workloads by name. */
  readonly workloads: readonly string[];
  /** Packed sizes to scale each to; undefined: as published. */
  readonly sizes: readonly (number | undefined)[];
  /** Elements of each datatype; absent: the workload's own. */
  readonly count?: number | undefined;
  readonly backends: AskedBackends;
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
    for await (const measured of measureWorkload(gpu, engine, bench, name, size)) {
      rows.push(...measured.rows);
      differences.push(...measured.differences);
      measured.differences.forEach(remark);
      keep(rows);
    }
    bar?.increment();
    if (await interrupted.seen()) break;
  }
  bar?.stop();
  return { rows, differences };
}

/** Each contender has memory of its own, and a simulated device's is this process's. */
const MOST_SIMULATED_BYTES = 2 ** 25;

/** What each direction and route of a workload gave, until the user asks to stop. */
async function* measureWorkload(
  gpu: Gpu,
  engine: Engine,
  bench: DeviceBench,
  name: string,
  size: number | undefined,
): AsyncGenerator<DeviceBenched> {
  const named = workloadOfSize(name, size);
  const cells = cellsOf(named.name, named.datatype, bench.count ?? named.count);
  const [first] = cells as readonly [Cell];
  if (gpu.driver.simulated && first.pattern.sizeBytes > MOST_SIMULATED_BYTES) {
    bench.remark(
      `${name}: it lies in ${first.pattern.sizeBytes} bytes, more than the ${MOST_SIMULATED_BYTES} of a simulated cell`,
    );
    return;
  }
  using input = new CellInput(gpu, first);
  const remark = sayOnce((line) => bench.remark(`${name}: ${line}`));
  for (const cell of cells) {
    for (const route of bench.routes) {
      const contenders = contendersOf(gpu, engine, input, bench.backends, cell, route);
      yield measured(cell, contenders, bench.budgetMs, remark);
      if (await bench.interrupted.seen()) return;
    }
  }
}

function measured(
  cell: Cell,
  contenders: readonly Contender[],
  budgetMs: number,
  remark: (line: string) => void,
): DeviceBenched {
  try {
    const { rows, refusals } = measureCell(cell, contenders, { ...DEFAULT_SAMPLING, budgetMs });
    refusals.forEach(remark);
    return { rows, differences: [] };
  } catch (error) {
    if (error instanceof FindingError) return { rows: [], differences: [error.message] };
    throw error;
  }
}
