import { contiguous, struct, type Datatype } from "@stowage/ir";

/** Most that C's int counts. */
export const MOST_INT = 2 ** 31 - 1;
const CHUNK = 2 ** 30;

/**
 * One element that is `count` elements of a datatype, by constructors whose counts fit C's int: a message stays one
 * message where the MPI has no calls for larger counts (before MPI 4.0). MPI 4.1, section 19.2, names the problem.
 */
export function largeDatatype(datatype: Datatype, extentBytes: number, count: number): Datatype {
  const chunks = Math.floor(count / CHUNK);
  const whole = contiguous(chunks, contiguous(CHUNK, datatype));
  const rest = contiguous(count % CHUNK, datatype);
  return struct([1, 1], [0, chunks * CHUNK * extentBytes], [whole, rest]);
}
