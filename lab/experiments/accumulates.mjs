import { predefined, vector } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";
import { inTurnsOnRanks, ranksOf, slowest, timedTogether } from "../parts/ranks.mjs";

/** Doubles of a block; blocks lie as far apart as they are long. */
const BLOCKS = { "blocks of 8 B": 1, "blocks of 64 B": 8, "blocks of 1 KiB": 128 };
const CARRIERS = ["native", "packed", "auto"];

/** A window of its own, and what accumulates between two fences make of it. */
function entrantOf(mpi, carrier, origin, block) {
  const { world } = mpi;
  const next = (world.rank + 1) % world.size;
  const memory = new Float64Array(origin.buffer.length);
  const window = mpi.createWindow(world, memory, { carrier, unitBytes: 8 });
  window.fence();
  let accumulated = 0;
  const run = () => {
    accumulated++;
    window.accumulate(origin, next);
    window.fence();
  };
  return {
    run,
    facts: carrier === "auto" ? { chosen: window.planAccumulate(origin, next).carrier } : {},
    check() {
      run();
      const wrong = memory.findIndex((value, i) => value !== (Math.floor(i / block) % 2 === 0 ? accumulated : 0));
      if (wrong >= 0) throw new Error(`${carrier}: expected sums of ${accumulated}, got ${memory[wrong]} at ${wrong}`);
    },
    [Symbol.dispose]() {
      window.fence({ last: true });
      window.free();
    },
  };
}

export default {
  name: "accumulates",
  question: "What do accumulates of scattered doubles to the next rank cost by the MPI, packed, and as is chosen?",
  kind: "times",
  ranks: 2,
  options: {
    samples: { kind: "number", says: "of each", byDefault: 7 },
    size: { kind: "bytes", says: "packed bytes, several", byDefault: [1024, 4096, 16384, 65536, 262144] },
  },
  trial: { samples: 1, size: [1024] },
  *cells({ size }) {
    const mpi = openMpi();
    for (const [workload, block] of Object.entries(BLOCKS))
      for (const packedBytes of size) {
        const doubles = packedBytes / 8;
        const datatype = mpi.commit(vector(doubles / block, block, 2 * block, predefined("MPI_DOUBLE")));
        const origin = { buffer: new Float64Array(2 * doubles).fill(1), datatype, count: 1 };
        yield { label: { ...ranksOf(mpi), workload, packedBytes }, mpi, origin, block };
        datatype[Symbol.dispose]();
      }
  },
  contenders: ({ mpi, origin, block }) =>
    Object.fromEntries(CARRIERS.map((carrier) => [carrier, entrantOf(mpi, carrier, origin, block)])),
  /** A sample is the slowest rank's. */
  run: (entrants, { mpi: { world } }, { samples }) =>
    inTurnsOnRanks(
      entrants,
      { samples, warmUp: 3 },
      ({ run }) => timedTogether(world, run),
      (ns) => slowest(world, ns),
    ),
};
