import { summarise, turnsOf } from "@stowage/bench";
import { rowsTable } from "@stowage/bench/results";
import { currentLoad } from "@stowage/overheads";
import { nearestPackedBytes, workload } from "@stowage/workloads";
import { join } from "node:path";
import {
  BOUNDS,
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
import { writeTypes } from "../parts/type-files.mjs";

const RANKS = 2;
/** Of a process's 64 messages there and back, counted from 1: the mean of each of these is told. */
const PARTS = { first: [1, 1], second: [2, 2], "3 to 8": [3, 8], "9 to 64": [9, 64] };
/** As ranks find it in their environment; natively there is no library. */
const CONTENDERS = {
  native: undefined,
  "through the MPI": [],
  "past it": ["STOWAGE_HOST_ROUTE=4096"],
  measured: ["STOWAGE_HOST_ROUTE=measured"],
};

const meanNs = (ns, [from, to]) => ns.slice(from - 1, to).reduce((sum, each) => sum + each, 0) / (to - from + 1);

export default {
  name: "interposer-first-messages",
  question: "What do the first messages of a process take, natively, through the interposer, and past the MPI?",
  kind: "times",
  options: {
    ...mpiOption(["openmpi", "mpich"]),
    only: { kind: "texts", says: "types of DDTBench", byDefault: ["FFT2/5", "MILC_su3_zdown/0", "NAS_LU_y/2", "WRF_y_vec/1"] }, // prettier-ignore
    sizes: { kind: "numbers", says: "packed bytes, the nearest that a type has", byDefault: [2 ** 16, 2 ** 20] },
    launches: { kind: "number", says: "of each contender, in turns", byDefault: 15 },
  },
  trial: { mpi: ["openmpi"], only: ["NAS_MG_z/0"], sizes: [4096], launches: 1 },
  async *cells({ mpi: names, only, sizes }, lab) {
    lab.note({
      load: await currentLoad(RANKS),
      statistic: "of launches in turns; a message is half of there and back",
    });
    yield* served(async function* (folder, variables) {
      for (const mpi of mpisNamed(names)) {
        const program = compiled(mpi.compiler, folder, "first-messages.c");
        const ours = ["env", await preloadOf(mpi), ...variables, "STOWAGE_VERBOSE=1"];
        for (const name of only)
          for (const size of sizes) {
            const type = workload(name, { packedBytes: nearestPackedBytes(name, size) });
            writeTypes(join(folder, "types"), [{ name, ...type }], { bounds: BOUNDS[mpi.family] });
            const words = [program, type.count, join(folder, "types", "0.type")];
            const label = { workload: name, mpi: releaseOf(mpi), packedBytes: type.packedBytes };
            yield { label, launch: [...mpi.launch, "-n", RANKS], ours, words };
          }
      }
    });
  },
  contenders: ({ launch, ours, words }) =>
    Object.fromEntries(
      Object.entries(CONTENDERS).map(([who, more]) => [
        who,
        { command: [...launch, ...(more === undefined ? [] : [...ours, ...more]), ...words] },
      ]),
    ),
  async run(entrants, { label }, { launches }) {
    const names = Object.keys(entrants);
    await saysIn(() => launched(entrants["past it"].command).stderr, /sent \d+ messages of \d+ bytes past the MPI/);
    const samples = names.map(() => []);
    for (let round = 0; round < launches; round++)
      for (const i of turnsOf(names.length, round))
        samples[i].push(jsonOf(launched(entrants[names[i]].command).stdout).ns);
    const { packedBytes, ...of } = label;
    return {
      rows: Object.entries(PARTS).flatMap(([part, range]) =>
        names.map((contender, i) => ({
          ...{ ...of, packedBytes, direction: "copy", message: part, contender },
          ...{ ...summarise(samples[i].map((ns) => meanNs(ns, range))), verified: true },
        })),
      ),
    };
  },
  rows: (_, { rows }) => rows,
  text: (rows) =>
    rowsTable(
      rows.map(({ workload: of, mpi, packedBytes, message, contender, medianNs, minNs }) => ({
        ...{ workload: of, mpi, packedBytes, message, contender },
        ...{ "median us": (medianNs / 1000).toFixed(1), "least us": (minNs / 1000).toFixed(1) },
      })),
    ),
};
