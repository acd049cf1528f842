import { processGrid } from "@stowage/mpi-bridge";
import type { Experiment } from "../experiment.js";
import { applicationPlots } from "./application-plots.js";
import { applicationsText } from "./applications-text.js";
import { rowsWithWays } from "./row.js";
import { runStencil } from "./stencil-run.js";
import { STENCILS, type Element } from "./stencil.js";
import { application, type ApplicationCell } from "./world.js";

/** Points that the papers have, and few where times mean nothing. */
const POINTS = { "stencil-3d": [512], "stencil-2d": [128, 256, 512, 1024, 2048] } as const;
const FEW_POINTS = { "stencil-3d": [16], "stencil-2d": [24, 64] } as const;
const ELEMENTS: Readonly<Record<keyof typeof STENCILS, readonly Element[]>> = {
  "stencil-3d": ["float"],
  "stencil-2d": ["double", "float"],
};
/** Points that the shortest of uneven parts lacks. */
const UNEVEN_LOSS = 6;

/** A stencil by ranks, whose halo is exchanged by each way in turns. */
export const stencilExperiment = (name: keyof typeof STENCILS, question: string): Experiment<ApplicationCell> =>
  application(
    {
      ...{ name, question, kind: "figures" },
      options: {
        points: { kind: "numbers", says: "points of a rank along each dimension; without, the papers'" },
        element: { kind: "text", of: ["float", "double"], says: "one element; without, the papers'" },
        uneven: { kind: "flag", says: "parts of odd and unequal lengths, ranks that begin at other times" },
      },
      trial: { device: "cuda", simulated: true, points: [13], uneven: true, iterations: 2 },
    },
    function* ({ mpi, comm, platform }, given, lab) {
      const stencil = STENCILS[name];
      const few = platform.kind === "simulated";
      const all = (given["points"] ?? (few ? FEW_POINTS : POINTS)[name]) as readonly number[];
      const elements = given["element"] === undefined ? ELEMENTS[name] : [given["element"] as Element];
      const { uneven = false, iterations = few ? 2 : 20 } = given as { uneven?: boolean; iterations?: number };
      const least = 3 * stencil.radius + (uneven ? UNEVEN_LOSS : 0);
      for (const points of all)
        if (points < least) throw new Error(`--points: expected ${least} or more of ${name}, got ${points}`);
      if (comm.size === 1) lab.remark(`${name}: one rank, which is its own neighbour: mpirun -n 2 for more`);
      const grid = processGrid(comm.size, stencil.dimensions);
      for (const element of elements)
        for (const points of all)
          yield {
            label: { workload: name },
            measure: () => runStencil(mpi, comm, platform, grid, { stencil, element, points, uneven, iterations }),
          };
    },
    {
      text: (rows) => applicationsText(rowsWithWays(rows)),
      plot: (rows) => applicationPlots(rowsWithWays(rows)),
    },
  );
