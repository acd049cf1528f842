// Accumulates of scattered doubles to the next rank between two fences: by the MPI, packed, and as { carrier: "auto" }
// chooses; in turns, the slowest rank's time. The window is compared with what the accumulates must make of it.
// mpirun -n 2 node packages/mpi-bridge/bench/accumulates.mjs [--out FILE] [--samples N]
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { heading, outputFolder, writeResults } from "@stowage/bench";
import { predefined, vector } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";

const { values: options } = parseArgs({
  options: { out: { type: "string" }, samples: { type: "string", default: "7" } },
});
const mpi = openMpi();
const { world } = mpi;
const { rank, size } = world;
const next = (rank + 1) % size;
/** Doubles of a block; blocks lie as far apart as they are long. */
const BLOCKS = { "blocks of 8 B": 1, "blocks of 64 B": 8, "blocks of 1 KiB": 128 };
const SIZES = [1024, 4096, 16384, 65536, 262144];
const WARM_UP = 3;
const CARRIERS = ["native", "packed", "auto"];

const rows = [];
function measure(workload, packedBytes) {
  const doubles = packedBytes / 8;
  const each = BLOCKS[workload];
  const datatype = mpi.commit(vector(doubles / each, each, 2 * each, predefined("MPI_DOUBLE")));
  const origin = { buffer: new Float64Array(2 * doubles).fill(1), datatype, count: 1 };
  const contenders = CARRIERS.map((carrier) => {
    const memory = new Float64Array(2 * doubles);
    const window = mpi.createWindow(world, memory, { carrier, unitBytes: 8 });
    window.fence();
    return { carrier, memory, window, times: [] };
  });
  const samples = Number(options.samples);
  for (let sample = -WARM_UP; sample < samples; sample++) {
    for (const { window, times } of contenders) {
      world.barrier();
      const start = performance.now();
      window.accumulate(origin, next);
      window.fence();
      if (sample >= 0) times.push((performance.now() - start) * 1e6);
    }
  }
  for (const { carrier, memory, window, times } of contenders) {
    const plan = window.planAccumulate(origin, next);
    window.fence({ last: true });
    window.free();
    const wrong = memory.findIndex((value, i) => value !== (Math.floor(i / each) % 2 === 0 ? samples + WARM_UP : 0));
    if (wrong >= 0) throw new Error(`${workload}, ${carrier}: got ${memory[wrong]} at ${wrong}`);
    const slowest = new Float64Array(samples);
    world.allreduce(Float64Array.from(times), slowest, { op: "max" });
    slowest.sort();
    const chosen = carrier === "auto" ? { chosen: plan.carrier } : {};
    const row = { mpi: mpi.mpi.name, ranks: size, workload, packedBytes, contender: carrier, ...chosen };
    rows.push({ ...row, medianNs: slowest[samples >> 1], minNs: slowest[0], samples, verified: true });
  }
  if (rank === 0) {
    const us = rows
      .slice(-3)
      .map(({ contender, chosen, medianNs }) => `${chosen ?? contender} ${(medianNs / 1e3).toFixed(1)}`);
    console.log(`${mpi.mpi.name}, ${size} ranks, ${workload}, ${packedBytes} bytes, us: ${us.join(", ")}`);
  }
}

for (const workload of Object.keys(BLOCKS)) for (const packedBytes of SIZES) measure(workload, packedBytes);
if (options.out !== undefined && rank === 0) {
  outputFolder(dirname(options.out), "out");
  const command = `mpirun -n ${size} node packages/mpi-bridge/bench/accumulates.mjs ${process.argv.slice(2).join(" ")}`;
  writeResults(options.out, { ...heading(command), schema: "stowage-bridge/1" }, rows);
}
