// Sends structs of a double and an int to a C program: scattered, dense, and begun.
import { predefined, resized, struct } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";

const { world } = openMpi();
const pair = struct([1, 1], [0, 8], [predefined("MPI_DOUBLE"), predefined("MPI_INT")]);
const COUNTS = [100, 600, 700, 1000, 1400, 2000, 3000, 20_000];

for (const [extent, call] of [
  [16, "send"],
  [12, "send"],
  [16, "isend"],
])
  COUNTS.forEach((count, tag) => {
    const buffer = new Uint8Array(extent * count);
    const view = new DataView(buffer.buffer);
    for (let i = 0; i < count; i++) {
      view.setFloat64(extent * i, i, true);
      view.setInt32(extent * i + 8, i, true);
    }
    const message = { buffer, datatype: resized(0, extent, pair), count };
    world[call](message, 1 - world.rank, { tag })?.wait();
  });
