// A program of lab/c that does the same in several ways, each natively and by our code in turns, in groups of processes
// between which messages of one host go through the MPI, past it, or as they are faster. It prints a line a way: name,
// bytes, whether the bytes are those of the MPI by itself, and times.
import { significant, summarise } from "@stowage/bench";
import { availableParallelism } from "node:os";
import { run } from "./interposed.mjs";
import { boundTo } from "./mpis.mjs";
import { jsonLines } from "./programs.mjs";

const ROUTES = { ours: "0", past: "4096", chosen: "measured" };

/** Command words of each group, by contender. Ranks are on a processor each where there are as many. */
export function commandsByRoute({ launch, family }, ranks, environment, program) {
  const start = [...launch, ...(ranks <= availableParallelism() ? boundTo(family) : []), "-n", ranks];
  return Object.fromEntries(
    Object.entries(ROUTES).map(([contender, route]) => [
      contender,
      [...start, ...environment, `STOWAGE_HOST_ROUTE=${route}`, program],
    ]),
  );
}

const ratio = (other, own) => Number((other.minNs / own.minNs).toFixed(3));

/** A row a contender of one way, by what each group printed of it. */
function rowsOfWay({ workload, ...label }, groups) {
  const [{ name, bytes }] = Object.values(groups);
  for (const each of Object.values(groups))
    if (!each.verified) throw new Error(`${name}: expected the bytes of the MPI by itself, got others`);
  const cell = {
    ...{ ...label, workload: `${workload}, ${name}`, count: 1, packedBytes: bytes },
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

/** Rows of all ways, with what the label says of them. */
export function rowsByRoute(commands, args, label) {
  const groups = Object.entries(commands).map(([contender, command]) =>
    jsonLines(run([...command, ...args])).map((line) => [contender, line]),
  );
  return groups[0].flatMap((_, way) => rowsOfWay(label, Object.fromEntries(groups.map((each) => each[way]))));
}

export const textByRoute = (rows) =>
  rows
    .filter(({ contender }) => contender !== "native")
    .map(({ workload, mpi, size, contender, minNs, timesAsFast }) =>
      [`${mpi}, ${workload}, ${size}: ${contender} ${significant(minNs / 1000)} us,`, `${timesAsFast} of native`].join(
        " ",
      ),
    )
    .join("\n");
