import { summarise } from "@stowage/bench";
import { currentLoad } from "@stowage/overheads";
import {
  compiled,
  launched,
  mpiOption,
  mpisNamed,
  preloadOf,
  releaseOf,
  saysIn,
  served,
} from "../parts/interposed.mjs";
import { jsonOf } from "../parts/programs.mjs";

const RANKS = 2;
/** By the program's words. */
const TURNS = { there: "there and back", both: "both ways at once" };
/** In the program's order: natively, out of memory of malloc, and of MPI_Alloc_mem. */
const WAYS = ["native", "packed past it", "read where they lie"];
/** Where the system reads elements in memory of malloc. */
const READ = "read by the system";
const waysOf = ({ reads }) => (reads ? WAYS.with(1, READ) : WAYS);

/** What our library says of messages that were not packed. */
const ARE_READ = /\d+ of these were read where they lay/;

export default {
  name: "interposer-lying",
  question: "What do messages take whose elements the receiver reads where they lie, beside packed ones past the MPI?",
  kind: "moves",
  options: {
    ...mpiOption(["openmpi", "mpich"]),
    reads: { kind: "flag", says: "elements in memory of malloc are read by the system (STOWAGE_HOST_READS), not packed" }, // prettier-ignore
    samples: { kind: "number", says: "of each way, in turns", byDefault: 25 },
    runs: { kind: "numbers", says: "bytes of a run", byDefault: [2048, 4096, 16384, 65536] },
    sizes: { kind: "numbers", says: "bytes of a message", byDefault: [2 ** 16, 2 ** 18, 2 ** 20, 2 ** 22] },
  },
  trial: { mpi: ["openmpi"], samples: 1, runs: [4096], sizes: [2 ** 16] },
  async *cells({ mpi: names, runs, sizes, reads }, lab) {
    lab.note({ load: await currentLoad(RANKS) });
    yield* served(async function* (folder, variables) {
      for (const mpi of mpisNamed(names)) {
        const program = compiled(mpi.compiler, folder, "lying.c", ["-ldl"]);
        const route = ["STOWAGE_HOST_ROUTE=4096", ...(reads ? ["STOWAGE_HOST_READS=2048"] : [])];
        const ours = ["env", await preloadOf(mpi), ...variables, "STOWAGE_VERBOSE=1", ...route];
        for (const run of runs)
          // One run alone has no gap.
          for (const packedBytes of sizes.filter((bytes) => bytes > run))
            for (const [turns, how] of Object.entries(TURNS)) {
              const workload = `runs of ${run} bytes, ${how}`;
              const label = { workload, mpi: releaseOf(mpi), count: 1, packedBytes, direction: "copy" };
              yield { label, command: [...mpi.launch, "-n", RANKS, ...ours, program, run, packedBytes], turns };
            }
      }
    });
  },
  contenders: (_, given) => Object.fromEntries(waysOf(given).map((way) => [way, {}])),
  /** The program has both cores, and looks at each message that comes. */
  async run(_entrants, { label, command, turns }, { samples, reads }) {
    await saysIn(() => launched([...command, 1, turns]).stderr, ARE_READ);
    const { stdout, stderr } = launched([...command, samples, turns]);
    const ways = jsonOf(stdout);
    if (!ARE_READ.test(stderr)) throw new Error(`${label.workload}: expected messages read where they lie, got none`);
    return Object.fromEntries(
      waysOf({ reads }).map((name, i) => {
        const { verified, ns } = ways[WAYS[i]];
        if (!verified) throw new Error(`${name}: expected the bytes that were sent, got others`);
        return [name, summarise(ns)];
      }),
    );
  },
};
