import { contiguous, indexedBlock, predefined, vector, type Datatype } from "@stowage/ir";
import { drawDistinct, seededDraw } from "../seeded-draw.js";
import { application } from "./application.js";
import { structOverBuffers, type Field } from "./buffers.js";

/** Points of a region that lie on the boundary between two processes, and how many points the region has. */
interface Boundary {
  readonly moved: number;
  readonly points: number;
}

const OUTER_CORES: readonly Boundary[] = [
  { moved: 3225, points: 88881 },
  { moved: 1897, points: 38556 },
  { moved: 877, points: 12852 },
  { moved: 493, points: 3692 },
];

/** Crust and mantle, then inner core; and the order in which the two regions' arrays lay in memory. */
const CRUST_AND_CORE = [
  { crust: { moved: 11797, points: 834834 }, core: { moved: 3009, points: 51146 }, memoryOrder: [1, 0] },
  { crust: { moved: 7125, points: 396705 }, core: { moved: 1729, points: 22460 }, memoryOrder: [1, 0] },
  { crust: { moved: 3801, points: 151985 }, core: { moved: 801, points: 7206 }, memoryOrder: [0, 1] },
  { crust: { moved: 1957, points: 39910 }, core: { moved: 245, points: 1225 }, memoryOrder: [1, 0] },
] as const;

const MASS_MATRIX_POINTS = [7600, 6400, 5600, 6200];

/** Displacement has three components at a point. */
const COMPONENTS = 3;
const float = predefined("MPI_FLOAT");

/** The boundary's points in the order of the mesh, which is none: `width` floats each. */
export function scatteredPoints({ moved, points }: Boundary, width: number): Datatype {
  const chosen = drawDistinct(seededDraw(points), moved, points);
  return indexedBlock(
    width,
    chosen.map((point) => point * width),
    float,
  );
}

function region(boundary: Boundary): Field {
  const allocatedBytes = boundary.points * COMPONENTS * 4;
  return { allocatedBytes, datatype: scatteredPoints(boundary, COMPONENTS) };
}

export const SPECFEM3D = [
  ...application(
    "SPECFEM3D_oc",
    "boundary points of the outer core: single floats by index",
    OUTER_CORES.map((boundary) => ({
      sizeBytes: boundary.moved * 4,
      datatype: () => scatteredPoints(boundary, 1),
    })),
  ),
  ...application(
    "SPECFEM3D_cm",
    "boundary points of crust, mantle and inner core: 3 floats by index, two arrays",
    CRUST_AND_CORE.map(({ crust, core, memoryOrder }) => ({
      sizeBytes: (crust.moved + core.moved) * COMPONENTS * 4,
      datatype: () => structOverBuffers([region(crust), region(core)], memoryOrder),
    })),
  ),
  ...application(
    "SPECFEM3D_mt",
    "3 floats of every 6, sent strided, received side by side",
    MASS_MATRIX_POINTS.flatMap((points) => {
      const sizeBytes = points * COMPONENTS * 4;
      return [
        { sizeBytes, datatype: () => vector(points, 1, 2, contiguous(COMPONENTS, float)) },
        { sizeBytes, datatype: () => contiguous(points * COMPONENTS, float) },
      ];
    }),
  ),
];
