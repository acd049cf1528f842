import { currentLoad } from "@stowage/overheads";
import { commandsByRoute, rowsByRoute, textByRoute } from "../parts/by-routes.mjs";
import { compiled, mpiOption, mpisNamed, preloadOf, releaseOf, served } from "../parts/interposed.mjs";

export default {
  name: "interposer-halo",
  question: "What does a halo exchange with 26 neighbours on one host take through the interposer, and past the MPI?",
  kind: "moves",
  options: {
    ...mpiOption(["openmpi"]),
    ranks: { kind: "numbers", says: "ranks", byDefault: [2, 4] },
    points: { kind: "numbers", says: "edges of a rank's cube of doubles", byDefault: [128] },
    radius: { kind: "number", says: "of the halo", byDefault: 2 },
    samples: { kind: "number", says: "of each contender, in turns, at most 64", byDefault: 15 },
  },
  trial: { ranks: [2], points: [8], samples: 1 },
  cells: ({ mpi: names, ranks, points }, lab) =>
    served(async function* (folder, variables) {
      lab.note({ load: await currentLoad(Math.max(...ranks)), statistic: "timesAsFast: the ratio of least times" });
      for (const mpi of mpisNamed(names)) {
        const program = compiled(mpi.compiler, folder, "halo.c", ["-ldl"]);
        const environment = ["env", await preloadOf(mpi), ...variables];
        for (const of of ranks)
          for (const edge of points) {
            const label = { mpi: releaseOf(mpi), ranks: of, size: edge };
            yield { label, commands: commandsByRoute(mpi, of, environment, program) };
          }
      }
    }),
  contenders: () => ({}),
  run: (_, { label, commands }, { samples, radius }) => {
    const workload = `halo of 26, ${label.ranks} ranks`;
    return { rows: rowsByRoute(commands, [samples, label.size, radius], { ...label, workload }) };
  },
  rows: (_, { rows }) => rows,
  text: textByRoute,
};
