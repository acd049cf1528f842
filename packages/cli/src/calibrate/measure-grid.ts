import { cellsOf, measureCell, MODES, type Cell, type Contender, type ResultRow } from "@stowage/bench";
import { CellInput, DEVICE_ROUTES, type Gpu } from "@stowage/bench/device";
import { boundsOf } from "@stowage/ir";
import { syntheticGrid, type GridPoint } from "@stowage/selector";
import { deviceCandidates, deviceContenderOf, hostCandidates, hostContenderOf } from "./candidates.js";

/** What was measured of one point of the grid. */
export interface PointRows {
  readonly point: string;
  readonly rows: readonly ResultRow[];
}

const SAMPLING = { budgetMs: 5, warmUpMs: 2, sampleUs: 50, rounds: 5 } as const;
/** A call by several threads is worth measuring from here on. */
const LEAST_SHARED_BYTES = 32 * 1024;
const CALLS = ["call"] as const;
/** Each contender on a simulated device holds its memory in this process. */
const MOST_SIMULATED_BYTES = 2 ** 21;

export const gridOf = (points: number): readonly GridPoint[] =>
  syntheticGrid(points, (datatype) => boundsOf(datatype).trueExtentBytes);

/** Measures points one by one; bytes are checked before and after. */
export function pointMeasurer(threads: number, gpu: Gpu | undefined): (point: GridPoint) => PointRows {
  const host = hostCandidates(threads);
  const onDevice = gpu === undefined ? [] : deviceCandidates(gpu.driver);
  return ({ name, datatype, count }) => {
    const cells = cellsOf(name, datatype, count);
    const rows = cells.flatMap((cell) => {
      const able = host.filter((each) => each.threads === 1 || cell.packedBytes >= LEAST_SHARED_BYTES);
      // What sharing costs a plan and a call is another matter; alone they differ by no more than the call.
      const modes = able.some((each) => each.threads > 1) ? MODES : CALLS;
      return measureCell(cell, able.map(hostContenderOf), { ...SAMPLING, modes }).rows;
    });
    if (gpu === undefined || (gpu.driver.simulated && (cells[0] as Cell).pattern.sizeBytes > MOST_SIMULATED_BYTES))
      return { point: name, rows };
    using input = new CellInput(gpu, cells[0] as Cell);
    const deviceRows = cells.flatMap((cell) =>
      DEVICE_ROUTES.flatMap((route) => {
        const contenders = onDevice.map((each): Contender => deviceContenderOf(gpu, input, each, route));
        return measureCell(cell, contenders, { ...SAMPLING, modes: CALLS }).rows;
      }),
    );
    return { point: name, rows: [...rows, ...deviceRows] };
  };
}
