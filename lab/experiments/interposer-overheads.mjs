import { summarise, turnsOf } from "@stowage/bench";
import { rowsTable } from "@stowage/bench/results";
import * as interposer from "@stowage/interposer";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { eventsOfTurn } from "../parts/callgrind.mjs";
import { compiled, mpiOption, mpisNamed, preloadOf, run, served } from "../parts/interposed.mjs";
import { moduleOf } from "../parts/old-build.mjs";
import { jsonLines, output } from "../parts/programs.mjs";

/** How long a service is given to compile what commits.c commits. */
const SERVICE_MS = 3000;
/** Messages of a short run and of a long one, and cycles of commit and free that memory is watched over. */
const MESSAGES = { full: [1000, 21_000], trial: [10, 110] };
const CYCLES = { full: 100_000, trial: 100 };
const sizeOf = ({ full, trial }, lab) => (lab.trial ? trial : full);

/** Of which the median is told: MPICH's own count differs by a few from run to run. */
const COUNTS = { full: 5, trial: 1 };

/** Instructions of one message to this rank itself, received and sent, as callgrind counts them: of each contender. */
function instructions(folder, program, contenders, lab) {
  const samples = contenders.map(() => []);
  for (let round = 0; round < sizeOf(COUNTS, lab); round++)
    for (const i of turnsOf(contenders.length, round)) {
      const { variables } = contenders[i];
      samples[i].push(eventsOfTurn(folder, (turns) => [program, turns], sizeOf(MESSAGES, lab), { variables })[0]);
    }
  return contenders.map(({ name }, i) => [name, summarise(samples[i])]);
}

/** Who takes turns: natively, and each build with an empty cache and with a full one, a service beside both. */
const launchesOf = (folder, preloads, builds) => [
  { name: "native", variables: [] },
  ...builds.flatMap(({ name, variables }) => [
    { name: `${name} miss`, variables: [preloads[name], ...variables, `STOWAGE_CACHE=${join(folder, "empty")}`] },
    { name: `${name} full`, variables: [preloads[name], ...variables] },
  ]),
];

/** Median, least and most nanoseconds of commits over all launches, by contender; and what memory is left. */
async function commitTimes(program, launches, rounds, cycles) {
  const launch = ({ variables }, times = 0) => jsonLines(run(["env", ...variables, program, times]))[0];
  for (const each of launches) launch(each);
  await setTimeout(SERVICE_MS);
  const samples = launches.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const i of turnsOf(launches.length, round)) samples[i].push(launch(launches[i]));
  const of = (name, own) => summarise(own.map((sample) => sample[name]));
  const commitNs = launches.map(({ name }, i) => [
    name,
    { first: of("firstCommitNs", samples[i]), later: of("laterCommitNs", samples[i]) },
  ]);
  const resident = launch(launches.find(({ name }) => name === "ours full"), cycles); // prettier-ignore
  const residentKiB = { before: resident.residentKiBBefore, after: resident.residentKiBAfter, cycles };
  return { commitNs: Object.fromEntries(commitNs), residentKiB };
}

const rowsOf = ({ mpi, instructions: counted, commitNs, residentKiB: { before, after, cycles } }) => [
  ...Object.entries(counted).map(([contender, { medianNs, minNs, maxNs, runs }]) => ({
    ...{ workload: "a contiguous message", mpi, contender, instructions: medianNs },
    ...{ leastInstructions: minNs, mostInstructions: maxNs, runs },
  })),
  ...["first", "later"].flatMap((which) =>
    Object.entries(commitNs).map(([contender, times]) => ({
      ...{ workload: `MPI_Type_commit, ${which}`, mpi, contender, ...times[which] },
    })),
  ),
  {
    workload: `resident memory over ${cycles} commits`,
    mpi,
    contender: "ours full",
    beforeKiB: before,
    afterKiB: after,
  },
];

/** Yields what `use` makes of a folder and the builds: this one, and the one of a checkout; a service runs for each. */
const builtBy = (against, use) =>
  served((folder, variables) => {
    const ours = { name: "ours", variables, buildLibrary: interposer.buildLibrary };
    if (against === undefined) return use(folder, [ours]);
    return served(
      (_, others) => use(folder, [ours, { name: "against", variables: others, buildLibrary: against.buildLibrary }]),
      { start: against.startService },
    );
  });

export default {
  name: "interposer-overheads",
  question: "What does a program pay for the interposer that gains nothing by it: contiguous messages and commits?",
  kind: "figures",
  options: {
    ...mpiOption(["openmpi", "mpich"]),
    against: { kind: "text", says: "another checkout, built, whose library takes turns too" },
    launches: { kind: "number", says: "of each program of commits, in turns", byDefault: 15 },
  },
  trial: { mpi: ["openmpi"], launches: 1 },
  async *cells({ mpi: names, against }, lab) {
    const other =
      against === undefined ? undefined : await moduleOf(join(against, "packages"), "interposer", "index", "--against");
    if (other !== undefined) lab.note({ against: output("git", ["-C", against, "rev-parse", "--short=12", "HEAD"]).trim() }); // prettier-ignore
    yield* builtBy(other, function* (folder, builds) {
      for (const mpi of mpisNamed(names))
        yield { label: { workload: "overheads", mpi: mpi.name }, mpi, folder, builds };
    });
  },
  contenders: () => ({}),
  async run(_, { label, mpi, folder, builds }, { launches }, lab) {
    const [contiguous, commits] = ["contiguous.c", "commits.c"].map((source) => compiled(mpi.compiler, folder, source));
    const preloads = {};
    for (const { name, buildLibrary } of builds) preloads[name] = await preloadOf(mpi, buildLibrary);
    const counting = [{ name: "native" }, ...builds].map(({ name }) => ({
      name,
      variables: name === "native" ? [] : [preloads[name]],
    }));
    const counted = instructions(folder, contiguous, counting, lab);
    const all = launchesOf(folder, preloads, builds);
    const found = await commitTimes(commits, all, launches, sizeOf(CYCLES, lab));
    return { rows: rowsOf({ mpi: label.mpi, instructions: Object.fromEntries(counted), ...found }) };
  },
  rows: (_, { rows }) => rows,
  text: rowsTable,
};
