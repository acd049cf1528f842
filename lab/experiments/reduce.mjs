import { contiguous, predefined, resized } from "@stowage/ir";
import { PackPlan } from "@stowage/mpi-abi";
import { IN_PLACE, openMpi } from "@stowage/mpi-bridge";
import { inTurnsOnRanks, ranksOf, slowest, timedTogether } from "../parts/ranks.mjs";
import { SCATTERED_DOUBLES } from "../parts/scattered-doubles.mjs";

/** Types whose doubles lie scattered in twice as many. */
const WORKLOADS = {
  ...SCATTERED_DOUBLES,
  dense: (doubles) => resized(0, 16 * doubles, contiguous(doubles, predefined("MPI_DOUBLE"))),
};
const REDUCTIONS = {
  reduce: (comm, from, into) => comm.reduce(from, comm.rank === 0 ? into : undefined),
  allreduce: (comm, from, into) => comm.allreduce(from, into),
  "allreduce in place": (comm, _, into) => comm.allreduce(IN_PLACE, into),
};
/** Runs of one contender after another: the first finds its memory in no cache, for another contender's is there. */
const TURNS = 3;

const valueOf = (rank, i) => ((i * 31 + rank * 7) % 1021) / 8;

/** MPI_Pack, the MPI's reduction and MPI_Unpack. */
function byHand({ mpi, label: { call, packedBytes }, datatype, input, result }) {
  const { world } = mpi;
  const type = mpi.commit(datatype);
  const [held, made] = [new Uint8Array(packedBytes), new Uint8Array(packedBytes)];
  const side = ({ buffer }, packed) => ({
    ...{ datatype: type.native, count: 1, scattered: new Uint8Array(buffer), originBytes: 0, packed },
  });
  const packing = new PackPlan(mpi.mpi, side(call === "allreduce in place" ? result : input, held));
  const unpacking = new PackPlan(mpi.mpi, side(result, made));
  // Doubles side by side are one call of the MPI.
  const [from, into] = [held, made].map(({ buffer }) => new Float64Array(buffer));
  const reduce = REDUCTIONS[call === "reduce" ? "reduce" : "allreduce"];
  const run = () => {
    packing.pack();
    reduce(world, from, into);
    if (call !== "reduce" || world.rank === 0) unpacking.unpack();
  };
  return { run, type };
}

/** What is in the result behind a reduction, by a serial loop. */
function expectedOf({ mpi, label: { call }, datatype, before }) {
  const { rank, size } = mpi.world;
  if (call === "reduce" && rank !== 0) return before;
  const type = mpi.commit(datatype);
  const places = new Float64Array(before.length);
  type.committed.unpack(new Float64Array(before.length / 2).fill(1), places, { count: 1 }).wait();
  type[Symbol.dispose]();
  const sum = (i) => Array.from({ length: size }, (_, of) => valueOf(of, i)).reduce((a, b) => a + b, 0);
  return before.map((value, i) => (places[i] === 1 ? sum(i) : value));
}

export default {
  name: "reduce",
  question: "What do reductions of scattered doubles cost by hand, of what we pack, on arrival, and as is chosen?",
  kind: "times",
  ranks: 2,
  options: {
    samples: { kind: "number", says: "of each", byDefault: 15 },
    "warm-up": { kind: "number", says: "samples until what they run through is compiled", byDefault: 20 },
    size: {
      ...{ kind: "bytes", says: "packed bytes, several", byDefault: [14, 16, 18, 20, 23].map((power) => 2 ** power) },
    },
    only: { kind: "texts", of: Object.keys(WORKLOADS), says: "some of its workloads" },
  },
  trial: { samples: 1, warmUp: 0, size: [1024], only: ["blocks of 8 B", "dense"] },
  *cells({ size, only = Object.keys(WORKLOADS) }) {
    const mpi = openMpi();
    const { world } = mpi;
    const comms = {
      packed: world.dup(),
      arriving: world.dup({ reductions: "arriving" }),
      auto: world.dup({ reductions: "auto" }),
    };
    for (const workload of only)
      for (const packedBytes of size)
        for (const call of Object.keys(REDUCTIONS)) {
          const doubles = packedBytes / 8;
          const input = Float64Array.from({ length: 2 * doubles }, (_, i) => valueOf(world.rank, i));
          const before = call === "allreduce in place" ? input : new Float64Array(2 * doubles).fill(-1);
          const label = { ...ranksOf(mpi), workload, packedBytes, call };
          yield { label, mpi, comms, datatype: WORKLOADS[workload](doubles), input, before, result: before.slice() };
        }
  },
  contenders(cell) {
    const { mpi, comms, datatype, input, result, before, label } = cell;
    const expected = expectedOf(cell);
    const entrant = (who, { run, type }) => ({
      run,
      check() {
        result.set(before);
        run();
        const at = result.findIndex((value, i) => value !== expected[i]);
        if (at >= 0) throw new Error(`${who}: expected ${expected[at]} at ${at}, got ${result[at]}`);
      },
      [Symbol.dispose]: () => type[Symbol.dispose](),
    });
    const ours = Object.entries(comms).map(([name, comm]) => {
      const type = mpi.commit(datatype);
      const [from, into] = [input, result].map((buffer) => ({ buffer, datatype: type, count: 1 }));
      return [name, entrant(name, { run: () => REDUCTIONS[label.call](comm, from, into), type })];
    });
    const hand = `MPI_Pack, ${label.call === "reduce" ? "MPI_Reduce" : "MPI_Allreduce"}, MPI_Unpack`;
    return { [hand]: entrant(hand, byHand(cell)), ...Object.fromEntries(ours) };
  },
  /** A sample is the slowest rank's. */
  run(entrants, { mpi: { world }, result, before }, { samples, warmUp }) {
    const turn = ({ run }) => {
      result.set(before);
      return timedTogether(world, run);
    };
    const turns = (entrant) => Array.from({ length: TURNS }, () => turn(entrant)).slice(1);
    return inTurnsOnRanks(entrants, { samples, warmUp }, turns, (ns) => slowest(world, ns));
  },
};
