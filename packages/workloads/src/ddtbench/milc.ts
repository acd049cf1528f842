import { contiguous, hvector, predefined, vector, type Datatype } from "@stowage/ir";
import { application } from "./application.js";

/** Local lattices of four-dimensional quantum chromodynamics: sites along x, y, z and time. */
const LATTICES = [
  [16, 16, 16, 16],
  [16, 8, 16, 16],
  [8, 8, 8, 16],
  [8, 8, 8, 8],
] as const;

/** An su3 vector: three complex numbers in single precision. */
const SU3_FLOATS = 6;
const SU3_BYTES = 4 * SU3_FLOATS;

/**
 * One z-plane per time step, of even sites and then of odd ones: each parity holds half of a plane's nx·ny sites,
 * planes stand nx·ny·nz / 2 sites apart, and the parities half the lattice.
 */
export function su3Zdown(nx: number, ny: number, nz: number, nt: number): Datatype {
  const planeSites = (nx * ny) / 2;
  const su3Vector = contiguous(SU3_FLOATS, predefined("MPI_FLOAT"));
  const parity = vector(nt, planeSites, planeSites * nz, su3Vector);
  return hvector(2, 1, planeSites * nz * nt * SU3_BYTES, parity);
}

export const su3ZdownBytes = (nx: number, ny: number, nt: number): number => nx * ny * nt * SU3_BYTES;

export const MILC = application(
  "MILC_su3_zdown",
  "z-face of a 4D lattice of su3 vectors, even sites before odd",
  LATTICES.map(([nx, ny, nz, nt]) => ({
    sizeBytes: su3ZdownBytes(nx, ny, nt),
    datatype: () => su3Zdown(nx, ny, nz, nt),
  })),
);
