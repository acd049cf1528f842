import { hvector, predefined, vector } from "@stowage/ir";
import { application, type Size } from "./application.js";

/** Points of a process's grid along x, y and z, one ghost point on every side included. */
const GRIDS: readonly Grid[] = [
  [34, 18, 18],
  [130, 66, 66],
  [258, 130, 130],
  [514, 258, 258],
];

type Grid = readonly [nx: number, ny: number, nz: number];

const double = predefined("MPI_DOUBLE");
const sizes = (of: (...grid: Grid) => Size): Size[] => GRIDS.map((grid) => of(...grid));

export const NAS_MG = [
  ...application(
    "NAS_MG_x",
    "yz-face of a 3D grid of doubles: single doubles",
    sizes((nx, ny, nz) => ({
      sizeBytes: (ny - 2) * (nz - 2) * 8,
      datatype: () => hvector(nz - 2, 1, nx * ny * 8, vector(ny - 2, 1, nx, double)),
    })),
  ),
  ...application(
    "NAS_MG_y",
    "xz-face of a 3D grid of doubles: one row a plane",
    sizes((nx, ny, nz) => ({
      sizeBytes: (nx - 2) * (nz - 2) * 8,
      datatype: () => vector(nz - 2, nx - 2, nx * ny, double),
    })),
  ),
  ...application(
    "NAS_MG_z",
    "xy-face of a 3D grid of doubles: neighbouring rows",
    sizes((nx, ny) => ({
      sizeBytes: (nx - 2) * (ny - 2) * 8,
      datatype: () => vector(ny - 2, nx - 2, nx, double),
    })),
  ),
];
