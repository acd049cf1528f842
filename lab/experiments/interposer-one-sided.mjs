import { grouped, significant, summarise } from "@stowage/bench";
import { currentLoad } from "@stowage/overheads";
import { compiled, mpiOption, mpisNamed, preloadOf, releaseOf, run, served } from "../parts/interposed.mjs";
import { jsonLines } from "../parts/programs.mjs";

const RANKS = 2;

const PLACES = {
  create: "MPI_Win_create",
  allocate: "MPI_Win_allocate",
  shared: "MPI_Win_allocate_shared",
  file: "a file",
  view: "a file's view",
};

/** A row a contender of a cell that the program measured; ratios are of the least times. */
function rowsOf(mpi, { name, bytes, verified, share, ...samples }) {
  if (!verified) throw new Error(`${name}: expected what the MPI moves by itself, got other bytes`);
  const [native, ours] = [samples.native, samples.ours].map(summarise);
  const cell = { workload: name, mpi, count: 1, packedBytes: bytes, direction: "copy", route: "host", commitNs: 0 };
  const timesAsFast = Number((native.minNs / ours.minNs).toFixed(3));
  return [
    { ...cell, contender: "native", ...native, verified },
    { ...cell, contender: "ours", ...ours, verified, shareOfOurs: share, timesAsFast },
  ];
}

export default {
  name: "interposer-one-sided",
  question: "What do puts, gets, and reads and writes of files with blocks in memory take through the interposer?",
  kind: "moves",
  options: {
    ...mpiOption(["openmpi"]),
    sizes: { kind: "numbers", says: "packed bytes", byDefault: [2 ** 12, 2 ** 16, 2 ** 20] },
    places: { kind: "texts", says: "windows and files", of: Object.keys(PLACES), byDefault: Object.keys(PLACES) },
    samples: { kind: "number", says: "of each contender, in turns, at most 64", byDefault: 25 },
  },
  trial: { sizes: [4096], samples: 1 },
  cells: ({ mpi: names, sizes, places }, lab) =>
    served(async function* (folder, variables) {
      lab.note({ load: await currentLoad(RANKS), statistic: "timesAsFast: the ratio of least times" });
      for (const mpi of mpisNamed(names)) {
        const program = compiled(mpi.compiler, folder, "one-sided.c", ["-ldl"]);
        const command = [...mpi.launch, "-n", RANKS, "env", await preloadOf(mpi), ...variables, program, folder];
        for (const size of sizes)
          for (const place of places) yield { label: { workload: PLACES[place], mpi: releaseOf(mpi), size }, command };
      }
    }),
  contenders: () => ({}),
  run: (_, { label: { workload, mpi, size }, command }, { samples }) => ({
    rows: jsonLines(run([...command, samples, size, workload])).flatMap((each) => rowsOf(mpi, each)),
  }),
  rows: (_, { rows }) => rows,
  text: (rows) =>
    [...grouped(rows, ({ mpi, workload, packedBytes }) => JSON.stringify([mpi, workload, packedBytes])).values()]
      .map(([native, ours]) => {
        const share = `${significant(ours.shareOfOurs * 100)} % by our code`;
        const us = (row) => `${significant(row.medianNs / 1000)} us`;
        return `${ours.mpi}, ${ours.workload}, ${ours.packedBytes} bytes: ${us(native)}, ours ${us(ours)}, ${ours.timesAsFast} times as fast; ${share}`;
      })
      .join("\n"),
};
