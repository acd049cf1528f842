import { cellsOf, measureCell, workloadOfSize, type Cell } from "@stowage/bench";
import { CellInput, DEVICE_ROUTES, type Gpu } from "@stowage/bench/device";
import { canonicalise, lower, StowageError, type Datatype } from "@stowage/ir";
import { deviceContenderOf, hostContenderOf, type MeasuredBackend } from "../calibrate/candidates.js";
import type { CellRows } from "./cell-rows.js";

const SAMPLING = { budgetMs: 8, warmUpMs: 3, sampleUs: 60, rounds: 5 } as const;
/** Elements that lie further apart take more memory than contenders are given. */
const MOST_SCATTERED_BYTES = 2 ** 30;
const MOST_SIMULATED_BYTES = 2 ** 21;

export interface AskedCell {
  readonly name: string;
  readonly packedBytes: number;
}

interface Measuring {
  readonly candidates: readonly MeasuredBackend[];
  readonly gpu: Gpu | undefined;
  /** Nothing is begun any more. */
  readonly isOver: () => boolean;
}

/** Measures a workload at a size, which may be the same as another's: `seen` are those that were. */
export function* measuredCells(
  { name, packedBytes }: AskedCell,
  seen: Set<string>,
  measuring: Measuring,
): Generator<CellRows> {
  const found = workloadAt(name, packedBytes);
  if (found === undefined) return;
  const { datatype, count } = found;
  const layout = canonicalise(lower(datatype));
  const key = `${name} ${layout.sizeBytes} ${count}`;
  const reachBytes = layout.trueExtentBytes + (count - 1) * Math.abs(layout.extentBytes);
  const most = measuring.gpu?.driver.simulated === true ? MOST_SIMULATED_BYTES : MOST_SCATTERED_BYTES;
  if (seen.has(key) || reachBytes > most || layout.sizeBytes === 0) return;
  seen.add(key);
  const cells = cellsOf(name, datatype, count);
  const about = { datatype, layout, count };
  if (measuring.gpu === undefined) yield* onHost(cells, about, measuring);
  else yield* onDevice(cells, about, measuring, measuring.gpu);
}

/** Some workloads have no size near every number of bytes. */
function workloadAt(name: string, packedBytes: number): { datatype: Datatype; count: number } | undefined {
  try {
    return workloadOfSize(name, packedBytes);
  } catch (error) {
    if (error instanceof StowageError) return undefined;
    throw error;
  }
}

type About = Pick<CellRows, "datatype" | "layout" | "count">;

function* onHost(cells: readonly Cell[], about: About, { candidates, isOver }: Measuring): Generator<CellRows> {
  for (const cell of cells) {
    if (isOver()) return;
    const { rows } = measureCell(cell, candidates.map(hostContenderOf), SAMPLING);
    yield { ...about, direction: cell.direction, route: "host", rows };
  }
}

function* onDevice(
  cells: readonly Cell[],
  about: About,
  { candidates, isOver }: Measuring,
  gpu: Gpu,
): Generator<CellRows> {
  using input = new CellInput(gpu, cells[0] as Cell);
  for (const cell of cells) {
    for (const route of DEVICE_ROUTES) {
      if (isOver()) return;
      const contenders = candidates.map((each) => deviceContenderOf(gpu, input, each, route));
      const { rows } = measureCell(cell, contenders, SAMPLING);
      yield { ...about, direction: cell.direction, route, rows };
    }
  }
}
