import { significant, summarise } from "@stowage/bench";
import { currentLoad } from "@stowage/overheads";
import { compiled, mpiOption, mpisNamed, preloadOf, releaseOf, run, served } from "../parts/interposed.mjs";
import { jsonLines } from "../parts/programs.mjs";

/** Where Open MPI's messages of one host go in each group of processes: through it, past it, or as they are faster. */
const ROUTES = { ours: "0", past: "65536", chosen: "measured" };

const ratio = (other, own) => Number((other.minNs / own.minNs).toFixed(3));

/** A row a contender of one way to exchange, by what each group printed of it. */
function rowsOf(mpi, ranks, groups) {
  const [{ name, bytes }] = Object.values(groups);
  for (const each of Object.values(groups))
    if (!each.verified) throw new Error(`${name}: expected the halo of the MPI by itself, got another`);
  const cell = {
    ...{ workload: `halo of 26, ${ranks} ranks, ${name}`, mpi, ranks, count: 1, packedBytes: bytes },
    ...{ direction: "copy", route: "host", verified: true, commitNs: 0 },
  };
  const natives = Object.values(groups).flatMap(({ native }) => native);
  return [
    { ...cell, contender: "native", ...summarise(natives) },
    ...Object.entries(groups).map(([contender, { ours, native }]) => {
      const [own, other] = [ours, native].map(summarise);
      return { ...cell, contender, ...own, timesAsFast: ratio(other, own) };
    }),
  ];
}

export default {
  name: "interposer-halo",
  question: "What does a halo exchange with 26 neighbours on one host take through the interposer, and past Open MPI?",
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
          for (const edge of points)
            yield {
              label: { mpi: releaseOf(mpi), ranks: of, points: edge },
              commands: Object.fromEntries(
                Object.entries(mpi.family === "openmpi" ? ROUTES : { ours: "0" }).map(([contender, route]) => [
                  contender,
                  [...mpi.launch, "-n", of, ...environment, `STOWAGE_HOST_ROUTE=${route}`, program],
                ]),
              ),
            };
      }
    }),
  contenders: () => ({}),
  run(_, { label: { mpi, ranks, points }, commands }, { samples, radius }) {
    const groups = Object.entries(commands).map(([contender, command]) =>
      jsonLines(run([...command, samples, points, radius])).map((line) => [contender, line]),
    );
    const rows = groups[0].flatMap((_line, way) => rowsOf(mpi, ranks, Object.fromEntries(groups.map((each) => each[way])))); // prettier-ignore
    return { rows: rows.map((row) => ({ ...row, size: points })) };
  },
  rows: (_, { rows }) => rows,
  text: (rows) =>
    rows
      .filter(({ contender }) => contender !== "native")
      .map(({ workload, mpi, size, contender, minNs, timesAsFast }) =>
        [
          `${mpi}, ${workload}, ${size}^3: ${contender} ${significant(minNs / 1000)} us,`,
          `${timesAsFast} of native`,
        ].join(" "),
      )
      .join("\n"),
};
