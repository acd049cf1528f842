// A part of a four-dimensional lattice of su3 vectors (three complex numbers in single precision), even sites before
// odd as MILC has them.
import { contiguous, hvector, predefined, vector } from "@stowage/ir";

/** Floats of an su3 vector and of an su3 matrix. */
export const VECTOR = 6;
export const MATRIX = 18;
export const DIRECTIONS = 4;

/** Sites along x, y, z and t of one rank, and where they begin in the whole lattice. */
export class Lattice {
  constructor(sizes, begin) {
    for (const length of sizes)
      if (length % 2 !== 0) throw new Error(`sites of a rank: expected even numbers, got ${sizes.join(" x ")}`);
    this.sizes = sizes;
    this.begin = begin;
    this.sites = sizes.reduce((product, length) => product * length, 1);
  }

  /**
   * Where a site lies: parities one after the other, and in each x fastest, two sites of which one is of this parity.
   */
  index(x, y, z, t) {
    const [nx, ny, nz] = this.sizes;
    const parity = (x + y + z + t) & 1;
    return parity * (this.sites / 2) + ((t * nz + z) * ny + y) * (nx / 2) + (x >> 1);
  }

  *[Symbol.iterator]() {
    const [nx, ny, nz, nt] = this.sizes;
    for (let t = 0; t < nt; t++)
      for (let z = 0; z < nz; z++) for (let y = 0; y < ny; y++) for (let x = 0; x < nx; x++) yield [x, y, z, t];
  }

  /**
   * The sites of a plane of constant z or t, in both parities: where it begins in bytes, and its datatype from there.
   */
  face(direction, at) {
    const [nx, ny, nz, nt] = this.sizes;
    const su3 = contiguous(VECTOR, predefined("MPI_FLOAT"));
    const rows = (nx * ny) / 2;
    const half = (this.sites / 2) * 4 * VECTOR;
    const plane = direction === 2 ? vector(nt, rows, rows * nz, su3) : contiguous(rows * nz, su3);
    const beginSites = direction === 2 ? at * rows : at * rows * nz;
    return { beginBytes: beginSites * 4 * VECTOR, datatype: hvector(2, 1, half, plane) };
  }

  /** Where a site of a face lies among the face's sites as they are packed. */
  faceIndex(direction, [x, y, z, t]) {
    const [nx, ny, nz, nt] = this.sizes;
    const parity = (x + y + z + t) & 1;
    const rows = (nx * ny) / 2;
    const planes = direction === 2 ? nt : nz;
    const along = direction === 2 ? t : z;
    return parity * rows * planes + along * rows + y * (nx / 2) + (x >> 1);
  }

  faceSites(direction) {
    return this.sites / this.sizes[direction];
  }
}

/** Numbers of a site that are the same however the lattice is divided. */
export function fillSite(values, at, length, [x, y, z, t], seed) {
  let state = (((((t * 64 + z) * 64 + y) * 64 + x) * 8 + seed) * 2654435761) >>> 0;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + i) >>> 0;
    values[at + i] = state / 2 ** 32 - 0.5;
  }
}
