import { namedWorkloads, workloadOfSize } from "@stowage/bench";
import { rowsTable } from "@stowage/bench/results";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CACHE_EVENTS, eventsOfTurn } from "../parts/callgrind.mjs";
import { DIRECTIONS } from "../parts/host.mjs";
import { inFolder } from "../parts/in-folder.mjs";
import { compiled, mpiOption, mpisNamed } from "../parts/interposed.mjs";
import { writeTypes } from "../parts/type-files.mjs";

const CHILD = fileURLToPath(new URL("../parts/counted-packs.mjs", import.meta.url));
/** Calls of a short run, behind which V8 compiles no more, and of a long one. */
const CALLS = { full: [20_000, 120_000], trial: [10, 20] };
/** All of V8's work in one thread and the same in every run, so that a difference of two runs is of calls alone. */
const ALONE = ["--single-threaded", "--predictable"];
const FLAGS = ["--cache-sim=yes", "--smc-check=all-non-file"];

function ofOneCall(folder, commandOf, calls) {
  const events = eventsOfTurn(folder, commandOf, calls, { flags: FLAGS });
  return Object.fromEntries(CACHE_EVENTS.map((name, i) => [name, events[i]]));
}

export default {
  name: "call-counts",
  question: "How many instructions, accesses and lines does a public call take, beside MPI_Pack called from C?",
  kind: "figures",
  options: {
    ...mpiOption(["openmpi", "mpich"]),
    types: { kind: "texts", says: "workloads, which may end in a size", byDefault: ["NAS_LU_x/0@1920", "FFT2/0@2048"] }, // prettier-ignore
  },
  trial: { mpi: ["openmpi"], types: ["NAS_LU_x/0@1920"] },
  cells: ({ mpi: names, types }) =>
    inFolder("call-counts", function* (folder) {
      const programs = mpisNamed(names).map(({ name, compiler }) => [
        name,
        compiled(compiler, folder, "counted-packs.c"),
      ]);
      for (const workload of namedWorkloads(types))
        for (const direction of DIRECTIONS) {
          const { name, datatype, count } = workloadOfSize(workload);
          writeTypes(folder, [{ name, datatype, count }]);
          const words = [join(folder, "0.type"), String(count), direction];
          const commands = {
            "public call": (calls) => [process.execPath, ...ALONE, CHILD, String(calls), workload, direction],
            ...Object.fromEntries(
              programs.map(([mpi, program]) => [mpi, (calls) => [program, String(calls), ...words]]),
            ),
          };
          yield { label: { workload, direction }, folder, commands };
        }
    }),
  contenders: () => ({}),
  run: (_, { label, folder, commands }, __, lab) => ({
    rows: Object.entries(commands).map(([contender, commandOf]) => ({
      ...{ ...label, contender },
      ...ofOneCall(folder, commandOf, lab.trial ? CALLS.trial : CALLS.full),
    })),
  }),
  rows: (_, { rows }) => rows,
  text: rowsTable,
};
