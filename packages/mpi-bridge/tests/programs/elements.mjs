// Types of every sort, buffers that hold them, and what a receiver must have.
import { hostMemory } from "@stowage/backend-api";
import { contiguous, hvector, indexed, predefined, resized, struct, vector } from "@stowage/ir";
import { rank, size } from "./checks.mjs";

export const double = predefined("MPI_DOUBLE");
export const int = predefined("MPI_INT");
export const next = (rank + 1) % size;
export const before = (rank + size - 1) % size;

/** Types of every sort: dense, strided, of lists, with gaps before them, with a negative stride. */
export const TYPES = {
  double,
  contiguous: contiguous(3, int),
  vector: vector(4, 2, 3, double),
  indexed: indexed([2, 1, 3], [5, 0, 9], int),
  struct: struct([1, 2, 3], [0, 8, 20], [int, int, predefined("MPI_CHAR")]),
  resized: resized(0, 40, vector(2, 1, 2, double)),
  backwards: hvector(3, 1, -16, double),
  "dense struct": struct([1, 1], [0, 8], [double, predefined("MPI_INT64_T")]),
};
export const COUNT = 3;
export const ORIGIN = 64;
const BYTES = 1024;
export const filled = (seed) => Uint8Array.from({ length: BYTES }, (_, i) => (i * 131 + seed * 17 + 7) & 255);

/** What a buffer holds after it received from a rank: theirs where the type map has bytes, its own elsewhere. */
export function expected(type, count, from) {
  const target = filled(99);
  const packed = new Uint8Array(count * type.sizeBytes);
  type.committed.pack({ memory: hostOf(filled(from)), originBytes: ORIGIN }, packed, { count });
  type.committed.unpack(packed, { memory: hostOf(target), originBytes: ORIGIN }, { count });
  return target;
}
export const hostOf = (bytes) => hostMemory(bytes);
export const message = (bytes, datatype, count = COUNT) => ({
  buffer: { memory: hostMemory(bytes), originBytes: ORIGIN },
  datatype,
  count,
});
