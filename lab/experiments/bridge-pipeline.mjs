import { contiguous, predefined, vector } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";
import { requireTwo } from "../dist/applications/world.js";
import { inTurnsOnRanks, ranksOf, thereAndBack, timedTogether } from "../parts/ranks.mjs";

const double = predefined("MPI_DOUBLE");
const CHUNKS = [2 ** 16, 2 ** 18, 2 ** 20];
/** Blocks of so many doubles, as far apart as they are long; none: dense. */
const SHAPES = { "blocks of 8 B": 1, "blocks of 256 B": 32, dense: undefined };

function layoutOf(doubles, packedBytes) {
  const count = packedBytes / 8;
  if (doubles === undefined) return { datatype: contiguous(count, double), length: count, isData: () => true };
  const isData = (i) => Math.floor(i / doubles) % 2 === 0;
  return { datatype: vector(count / doubles, doubles, 2 * doubles, double), length: 2 * count, isData };
}

export default {
  name: "bridge-pipeline",
  question: "When do large messages go quicker in chunks than whole, scattered and dense?",
  kind: "times",
  ranks: 2,
  options: {
    samples: { kind: "number", says: "of each", byDefault: 9 },
    size: { kind: "bytes", says: "packed bytes, several", byDefault: [18, 20, 22, 24].map((power) => 2 ** power) },
  },
  trial: { samples: 1, size: [2 ** 18] },
  *cells({ size }) {
    const mpi = openMpi();
    const { world } = mpi;
    requireTwo("bridge-pipeline", world);
    const ways = {
      native: { comm: world, carrier: "native" },
      packed: { comm: world, carrier: "packed" },
      ...Object.fromEntries(
        CHUNKS.map((chunkBytes) => [
          `chunks of ${chunkBytes / 1024} KiB`,
          { comm: world.dup({ pipeline: { chunkBytes } }), carrier: "chunked" },
        ]),
      ),
    };
    for (const [workload, doubles] of Object.entries(SHAPES))
      for (const packedBytes of size) {
        const { length, ...layout } = layoutOf(doubles, packedBytes);
        const sent = Float64Array.from({ length }, (_, i) => i + world.rank);
        const into = new Float64Array(length);
        yield { label: { ...ranksOf(mpi), workload, packedBytes }, mpi, ways, ...layout, sent, into };
      }
  },
  contenders({ mpi, label, ways, datatype, isData, sent, into }) {
    const other = 1 - mpi.world.rank;
    const own = Object.entries(ways).filter(([name]) => label.workload !== "dense" || name !== "native");
    return Object.fromEntries(
      own.map(([name, { comm, carrier }]) => {
        const type = mpi.commit(datatype, { carrier });
        const [out, back] = [sent, into].map((buffer) => ({ buffer, datatype: type, count: 1 }));
        const message = thereAndBack(
          comm,
          () => comm.send(out, other),
          () => comm.recv(back, other),
        );
        const run = () => timedTogether(comm, message, { steps: 2 });
        const check = () => {
          into.fill(-1);
          run();
          if (into.some((value, i) => value !== (isData(i) ? i + other : -1)))
            throw new Error(`${name}: expected the other rank's elements and no other bytes, got others`);
        };
        return [name, { run, check, [Symbol.dispose]: () => type[Symbol.dispose]() }];
      }),
    );
  },
  /** Half a round trip, each into memory that was written before. */
  run: (entrants, { into }, { samples }) =>
    inTurnsOnRanks(entrants, { samples }, ({ run }) => {
      into.fill(-1);
      return run();
    }),
};
