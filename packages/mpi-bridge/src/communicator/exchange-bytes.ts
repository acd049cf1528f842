import type { Communicator } from "./communicator.js";

/** From each rank to each the bytes for it; what they were for this one, by rank. All ranks call it. */
export function exchangeBytes(comm: Communicator, parts: readonly (readonly Uint8Array[])[]): readonly Uint8Array[] {
  const counts = parts.map((list) => list.reduce((sum, { length }) => sum + length, 0));
  const arriving = new Int32Array(comm.size);
  comm.alltoall(Int32Array.from(counts), arriving);
  const out = new Uint8Array(
    Math.max(
      1,
      counts.reduce((sum, count) => sum + count, 0),
    ),
  );
  let at = 0;
  for (const bytes of parts.flat()) {
    out.set(bytes, at);
    at += bytes.length;
  }
  const into = new Uint8Array(
    Math.max(
      1,
      arriving.reduce((sum, count) => sum + count, 0),
    ),
  );
  comm.alltoallv(
    { buffer: out, datatype: "MPI_BYTE", counts },
    { buffer: into, datatype: "MPI_BYTE", counts: [...arriving] },
  );
  let from = 0;
  return [...arriving].map((count) => into.subarray(from, (from += count)));
}
