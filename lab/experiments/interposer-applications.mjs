import { currentLoad } from "@stowage/overheads";
import { commandsByRoute, rowsByRoute, textByRoute } from "../parts/by-routes.mjs";
import { compiled, mpiOption, mpisNamed, preloadOf, releaseOf, served } from "../parts/interposed.mjs";

export default {
  name: "interposer-applications",
  question:
    "What does the interposer bring FFT2 and MILC end to end, through the MPI and past it, and in exchanges alone?",
  kind: "moves",
  options: {
    ...mpiOption(["openmpi"]),
    ranks: { kind: "number", says: "ranks, which divide the sizes", byDefault: 2 },
    sizes: { kind: "numbers", says: "edges of FFT2's field, powers of two", byDefault: [256, 512, 1024] },
    lattices: { kind: "numbers", says: "edges of MILC's lattice of a rank, one for each size", byDefault: [8, 12, 16] },
    samples: { kind: "number", says: "of each contender, in turns, at most 64", byDefault: 15 },
  },
  trial: { sizes: [16], lattices: [4], samples: 1 },
  cells: ({ mpi: names, ranks, sizes, lattices }, lab) =>
    served(async function* (folder, variables) {
      if (sizes.length !== lattices.length)
        throw new Error(`--lattices: expected ${sizes.length}, as many as sizes, got ${lattices.length}`);
      lab.note({ load: await currentLoad(ranks), statistic: "timesAsFast: the ratio of least times" });
      for (const mpi of mpisNamed(names)) {
        const program = compiled(mpi.compiler, folder, "mini-applications.c", ["-ldl", "-lm"]);
        const environment = ["env", await preloadOf(mpi), ...variables];
        const commands = commandsByRoute(mpi, ranks, environment, program);
        for (const [i, size] of sizes.entries())
          yield { label: { mpi: releaseOf(mpi), ranks, size }, commands, lattice: lattices[i] };
      }
    }),
  contenders: () => ({}),
  run: (_, { label, commands, lattice }, { samples }) => {
    const workload = `field of ${label.size}^2, lattices of ${lattice}^4, ${label.ranks} ranks`;
    return { rows: rowsByRoute(commands, [samples, label.size, lattice], { ...label, workload }) };
  },
  rows: (_, { rows }) => rows,
  text: textByRoute,
};
