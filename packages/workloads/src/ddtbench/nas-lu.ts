import { contiguous, predefined, vector } from "@stowage/ir";
import { application } from "./application.js";

/** Grid points along one side: classes S, W, A, B, C, D, E. */
const POINTS = [12, 33, 64, 102, 162, 408, 1020];

/** Values that the solver keeps at one grid point. */
const COMPONENTS = 5;

const sizeBytes = (points: number): number => points * COMPONENTS * 8;
const double = predefined("MPI_DOUBLE");

export const NAS_LU = [
  ...application(
    "NAS_LU_x",
    "a row of grid points of 5 doubles: contiguous",
    POINTS.map((points) => ({
      sizeBytes: sizeBytes(points),
      datatype: () => contiguous(COMPONENTS * points, double),
    })),
  ),
  ...application(
    "NAS_LU_y",
    "a column of grid points of 5 doubles, two ghost points a row",
    POINTS.map((points) => ({
      sizeBytes: sizeBytes(points),
      datatype: () => vector(points, 1, points + 2, contiguous(COMPONENTS, double)),
    })),
  ),
];
