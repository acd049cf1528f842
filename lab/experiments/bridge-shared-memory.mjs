import { contiguous, indexedBlock, predefined, vector } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";
import { requireTwo } from "../dist/applications/world.js";
import { agreedCalls, inTurnsOnRanks, ranksOf, thereAndBack, timedTogether } from "../parts/ranks.mjs";

const double = predefined("MPI_DOUBLE");
const COLUMNS = 64;
const MOST_TRANSPOSED_BYTES = 2 ** 22;
/** What a sample takes, and what goes ahead of the first, until V8 has compiled what runs. */
const [SAMPLE_NS, WARM_UP_NS] = [4e6, 4e7];
/** Datatypes of so many doubles, and how many doubles they span. */
const SHAPES = {
  "blocks of 8 B": (count) => [vector(count, 1, 2, double), 2 * count],
  "blocks of 256 B": (count) => [vector(count / 32, 32, 64, double), 2 * count],
  "transpose of 64 columns": (count) => {
    const rows = count / COLUMNS;
    const places = Array.from({ length: count }, (_, i) => (i % rows) * COLUMNS + Math.floor(i / rows));
    return [indexedBlock(1, places, double), count];
  },
  dense: (count) => [contiguous(count, double), count],
};

/** Elements as they are packed. */
function packedOf(type, values, packedBytes) {
  const bytes = new Uint8Array(packedBytes);
  type.committed.pack(values, bytes, { count: 1 }).wait();
  return new Float64Array(bytes.buffer);
}

/** Messages of one carrier; undefined where the bridge has another carry them. */
function entrantOf(name, comm, { mpi, datatype, sent, into, label: { packedBytes } }) {
  const other = 1 - comm.rank;
  const type = mpi.commit(datatype, { carrier: name });
  const [out, back] = [sent, into].map((buffer) => ({ buffer, datatype: type, count: 1 }));
  if (comm.explain(out, other).carrier !== name) return type[Symbol.dispose]();
  const message = thereAndBack(
    comm,
    () => comm.send(out, other),
    () => comm.recv(back, other),
  );
  const check = () => {
    into.fill(-1);
    message();
    const [from, got] = [sent, into].map((values) => packedOf(type, values, packedBytes));
    if (got.some((value, i) => value !== from[i] - comm.rank + other))
      throw new Error(`${name}: expected the other rank's elements, got others`);
    if (into.filter((value) => value === -1).length !== into.length - packedBytes / 8)
      throw new Error(`${name}: expected no byte of the gaps written, got some`);
  };
  return { run: message, check, [Symbol.dispose]: () => type[Symbol.dispose]() };
}

export default {
  name: "bridge-shared-memory",
  question: "By which carrier do messages between two ranks of a host go quickest, scattered and dense?",
  kind: "times",
  ranks: 2,
  options: {
    samples: { kind: "number", says: "of each", byDefault: 9 },
    size: { kind: "bytes", says: "packed bytes, several", byDefault: [15, 16, 18, 20, 22, 24].map((p) => 2 ** p) },
  },
  trial: { samples: 1, size: [2 ** 15] },
  *cells({ size }) {
    const mpi = openMpi();
    const { world } = mpi;
    requireTwo("bridge-shared-memory", world);
    const framed = world.dup({ pipeline: {} });
    for (const [workload, typeOf] of Object.entries(SHAPES))
      for (const packedBytes of size) {
        if (workload.startsWith("transpose") && packedBytes > MOST_TRANSPOSED_BYTES) continue;
        const [datatype, length] = typeOf(packedBytes / 8);
        const sent = Float64Array.from({ length }, (_, i) => i + world.rank);
        const into = new Float64Array(length);
        yield { label: { ...ranksOf(mpi), workload, packedBytes }, mpi, framed, datatype, sent, into };
      }
    world.barrier();
    framed.free();
  },
  contenders(cell) {
    const { framed, mpi } = cell;
    const comms = { native: mpi.world, packed: mpi.world, chunked: framed, ipc: framed };
    const entrants = Object.entries(comms).map(([name, comm]) => [name, entrantOf(name, comm, cell)]);
    return Object.fromEntries(entrants.filter(([, entrant]) => entrant !== undefined));
  },
  /** Half a round trip, of as many as take about so long. */
  run(entrants, { mpi: { world } }, { samples }, { trial }) {
    const half = (run, turns) => timedTogether(world, run, { calls: turns, steps: 2 * turns });
    const turnsOf = (run, ns) => agreedCalls(world, ns, 2 * half(run, 2));
    const turns = new Map(
      Object.values(entrants).map((entrant) => {
        if (trial) return [entrant, 1];
        half(entrant.run, turnsOf(entrant.run, WARM_UP_NS));
        return [entrant, turnsOf(entrant.run, SAMPLE_NS)];
      }),
    );
    return inTurnsOnRanks(entrants, { samples }, (entrant) => half(entrant.run, turns.get(entrant)));
  },
};
