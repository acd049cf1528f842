// What `calls.mjs` calls: each type, and the backends that take it.
import { canonicalise, hvector, indexed, lower, predefined, subarray } from "@stowage/ir";

const double = predefined("MPI_DOUBLE");

export const TYPES = {
  "column of 512 doubles": {
    type: hvector(512, 8, 4096, predefined("MPI_BYTE")),
    backends: ["cuda-generic", "cuda-strided", "dma"],
  },
  "4 ragged runs": { type: indexed([3, 1, 2, 5], [0, 9, 20, 31], double), backends: ["cuda-generic", "dma"] },
  "rows of 64 B, 64 KiB": {
    type: hvector(1024, 64, 192, predefined("MPI_BYTE")),
    backends: ["cuda-generic", "cuda-strided", "dma"],
  },
  "500 runs of a list": {
    type: indexed(
      Array.from({ length: 500 }, (_, i) => 1 + (i % 5)),
      Array.from({ length: 500 }, (_, i) => 7 * i),
      double,
    ),
    backends: ["cuda-generic", "dma"],
  },
};

/** The layouts of the 26 regions that a cube of N^3 doubles sends to its neighbours. */
export function haloOf(N) {
  const sub = [];
  for (const x of [-1, 0, 1])
    for (const y of [-1, 0, 1]) for (const z of [-1, 0, 1]) if (x || y || z) sub.push([x, y, z]);
  const extent = (d) => (d === 0 ? N - 2 : 1);
  const start = (d) => (d < 0 ? 0 : d > 0 ? N - 1 : 1);
  return sub.map((d) =>
    canonicalise(
      lower(
        subarray({
          sizes: [N, N, N],
          subsizes: d.map(extent),
          starts: d.map(start),
          order: "C",
          child: double,
        }),
      ),
    ),
  );
}
