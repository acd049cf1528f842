import type { Layout } from "@stowage/ir";

/** Whether elements are packed, to be sent, or unpacked, as they were received. */
export type PackDirection = "pack" | "unpack";

/** Nanoseconds a call, a block, a byte, and a line that blocks are scattered over. */
type Figures = readonly [callNs: number, blockNs: number, byteNs: number, lineNs: number];

/**
 * What the MPIs' own packing costs, from results/epyc/peers.json: `npx lab run native-model` prints these figures.
 * Measured rows lie within a factor of 1.6 to 1.9 of them, in the mean of logarithms: Open MPI 4.1.4, MPICH 4.0.2.
 */
const FIGURES: Readonly<Record<"openmpi" | "mpich", Readonly<Record<PackDirection, Figures>>>> = {
  openmpi: { pack: [50.3, 3.86, 0.032, 1.37], unpack: [45.3, 4.5, 0.033, 0.86] },
  mpich: { pack: [148, 1.51, 0.107, 2.61], unpack: [135, 1.89, 0.15, 0.339] },
};
const LINE_BYTES = 64;

/** What an MPI is predicted to take for elements of a layout, in nanoseconds. `mpi`: a name such as mpich-4.0.2. */
export function nativeNs(layout: Layout, count: number, direction: PackDirection, mpi: string): number {
  const [callNs, blockNs, byteNs, lineNs] = FIGURES[mpi.startsWith("mpich") ? "mpich" : "openmpi"][direction];
  const blocks = count * layout.root.blockCount;
  const reachBytes = layout.trueExtentBytes + (count - 1) * Math.abs(layout.extentBytes);
  const lines = Math.min(blocks, reachBytes / LINE_BYTES);
  return callNs + blocks * blockNs + count * layout.sizeBytes * byteNs + lines * lineNs;
}
