import { grouped, meanOf, summarise } from "@stowage/bench";
import { currentLoad } from "@stowage/overheads";
import { nearestPackedBytes, workload, workloadNames } from "@stowage/workloads";
import { join } from "node:path";
import { BOUNDS, compiledWithLibrary, mpiOption, mpisNamed, preloadOf, releaseOf } from "../parts/interposed.mjs";
import { inPlace, PLACE_OPTIONS } from "../parts/places.mjs";
import { jsonLines } from "../parts/programs.mjs";
import { writeTypes } from "../parts/type-files.mjs";

const RANKS = 2;
/** So many cells of one pair of processes, then of the other. */
const CELLS_A_TURN = 16;
/** Of native: what lies below is told. */
const LEAST = 0.97;

/** Every type once: workloads of several numbers may be one at a small size. */
function typesOf({ only, sizes }) {
  const seen = new Set();
  const types = [];
  for (const name of workloadNames("ddtbench").filter((each) => only.some((start) => each.startsWith(start))))
    for (const size of sizes) {
      const { datatype, count, packedBytes } = workload(name, { packedBytes: nearestPackedBytes(name, size) });
      if (packedBytes < size / 2 || packedBytes > size * 2 || seen.has(`${name} ${packedBytes}`)) continue;
      seen.add(`${name} ${packedBytes}`);
      types.push({ name: `${name}@${size}`, datatype, count });
    }
  return types;
}

/** Tries of 5 ms for code to come; a second pair finds it in the cache. */
const PATIENCE = 4000;
const PATIENCE_OF_SECOND = 20;

/**
 * What a second pair of processes is, and whose times of it are kept: one without our library, as the MPI comes; one
 * with it, where long messages of one host may go past the MPI, as `route` says; and where the first pair stages all
 * messages, one that stages those which it finds to be faster so.
 */
const SECOND = {
  asItComes: { timesOf: "native", command: ({ launch, program }) => [...launch, program] },
  past: {
    timesOf: "ours",
    command: ({ launch, environment, program, route }) => [
      ...[...launch, ...environment],
      ...[`STOWAGE_HOST_ROUTE=${route}`, program],
    ],
  },
  chosen: {
    timesOf: "ours",
    command: ({ launch, environment, program }) => [...launch, ...environment, "STOWAGE_STAGED=measured", program],
  },
};

/** Messages between hosts, and those of a device that carries packed bytes, go past no MPI. */
const secondOf = ({ staged, hosts, asItComes }, { name }) => {
  if (staged) return "chosen";
  return asItComes || hosts || name === "mpich-ofi" ? "asItComes" : "past";
};

const ratio = (other, own, by = "minNs") => Number((other[by] / own[by]).toFixed(3));

/**
 * Of a cell in one pair of processes, and in a second. Ratios are of the least times: what another process, or
 * the other rank's processor, took from a sample is in neither.
 */
function cellOf(mpi, contender, { name: both, bytes, count, verified, share, contiguousShare, ...samples }, second) {
  if (!verified || !second.verified) throw new Error(`${both}: expected what the MPI receives, got other bytes`);
  const [workloadName, size] = both.split("@");
  const { timesOf } = SECOND[contender];
  const times = Object.fromEntries(
    Object.entries({ ...samples, [contender]: second[timesOf] }).map(([who, ns]) => [who, summarise(ns)]),
  );
  const timesAsFast = (other) => other && ratio(other, times.ours);
  return {
    ...{ workload: workloadName, mpi, size: Number(size), count, packedBytes: bytes, ...times },
    ...{ shareOfOurs: share, contiguousShare },
    ...{ timesAsFast: timesAsFast(times.native), timesAsFastAsItComes: timesAsFast(times.asItComes) },
    pastTimesAsFast: times.past && ratio(times.ours, times.past),
    // Of native in its own pair of processes: two pairs may have processors that are not equally near to each other.
    pastTimesAsFastAsNative: times.past && ratio(summarise(second.native), times.past),
    pastTimesAsFastAsNativeByMedians: times.past && ratio(summarise(second.native), times.past, "medianNs"),
    chosenTimesAsFast: times.chosen && ratio(summarise(second.native), times.chosen),
    chosenTimesAsFastByMedians: times.chosen && ratio(summarise(second.native), times.chosen, "medianNs"),
    chosenShare: times.chosen && second.share,
  };
}

/** What the pairs sample; what bounds a message on one host (lab/c/ping-pong.c) last. */
const SAMPLED = ["native", "ours", "contiguous", "pieces", "apart", "byHand"];

/** What several runs printed of the same cells, as of one: samples of all, and of the rest what the first said. */
const pooled = (runs) =>
  runs[0].map((first, i) => {
    const all = runs.map((lines) => lines[i]);
    const samples = SAMPLED.filter((who) => who in first).map((who) => [who, all.flatMap((line) => line[who])]);
    return { ...first, verified: all.every(({ verified }) => verified), ...Object.fromEntries(samples) };
  });

/** A row a contender; what our library did, and how it compares, stands in its own. */
const rowsOf = ({
  native,
  ours,
  contiguous,
  pieces,
  apart,
  byHand,
  asItComes,
  past,
  chosen,
  workload: of,
  mpi,
  size,
  count,
  packedBytes,
  ...others
}) =>
  Object.entries({ native, ours, contiguous, pieces, apart, byHand, asItComes, past, chosen }).flatMap(
    ([contender, times]) =>
      times === undefined
        ? []
        : {
            ...{ workload: of, mpi, size, count, packedBytes, direction: "copy", route: "host", contender, ...times },
            ...{ verified: true, commitNs: 0, ...(contender === "ours" ? others : {}) },
          },
  );

const fixed = (mean) => mean.geometricMean.toFixed(2);

function textOf(mpi, rows) {
  const ratios = rows.map(({ timesAsFast }) => timesAsFast);
  const beside = (name, says) => {
    const times = rows.flatMap((row) => row[name] ?? []);
    return times.length === 0 ? [] : [`${mpi} ${says}: ${fixed(meanOf(times))}; ${below(times)}`];
  };
  const bytes = rows.reduce((sum, { packedBytes }) => sum + packedBytes, 0);
  const share = (name) => (rows.reduce((sum, row) => sum + row.packedBytes * row[name], 0) / bytes) * 100;
  const below = (all) => `below ${LEAST}: ${all.filter((each) => each < LEAST).length}`;
  const sizes = [...grouped(rows, ({ size }) => size)].map(([size, own]) => {
    const mean = meanOf(own.map(({ timesAsFast }) => timesAsFast));
    return `${mpi} ${size}: ${fixed(mean)} [${mean.least}..${mean.greatest}] of ${mean.cells}`;
  });
  return [
    ...sizes,
    `${mpi}: ${share("shareOfOurs").toFixed(1)} % of the bytes by our code, ${share("contiguousShare").toFixed(1)} % contiguous`,
    `${mpi}: ${fixed(meanOf(ratios))}; ${below(ratios)}`,
    ...rows.filter((row) => row.timesAsFast < 1).map((row) => `  ${row.workload}@${row.size} ${row.timesAsFast}`),
    ...beside("timesAsFastAsItComes", "as it comes"),
    ...beside("pastTimesAsFast", "past over through it"),
    ...beside("pastTimesAsFastAsNative", "past over native, in one pair"),
    ...beside("pastTimesAsFastAsNativeByMedians", "past over native, in one pair, by medians"),
    ...beside("chosenTimesAsFast", "chosen over native"),
    ...beside("chosenTimesAsFastByMedians", "chosen over native, by medians"),
  ].join("\n");
}

export default {
  name: "interposer-ping-pong",
  question: "What does a message of each DDTBench type take through the interposer, beside the MPI's own packing?",
  kind: "moves",
  options: {
    ...mpiOption(["openmpi"]),
    ...PLACE_OPTIONS,
    only: { kind: "texts", says: "types whose names begin so", byDefault: [""] },
    sizes: { kind: "numbers", says: "packed bytes, the nearest that a type has", byDefault: [2 ** 10, 2 ** 13, 2 ** 16, 2 ** 20] }, // prettier-ignore
    fragment: { kind: "number", says: "bytes of a fragment of Open MPI's shared memory" },
    asItComes: { kind: "flag", says: "the second pair is the MPI as it comes, without our library" },
    route: { kind: "text", says: "STOWAGE_HOST_ROUTE of the second pair: measured, or from so many bytes on", byDefault: "measured" }, // prettier-ignore
    staged: { kind: "flag", says: "messages are staged: all in one pair of processes, those that are faster so in the other" }, // prettier-ignore
    samples: { kind: "number", says: "of each contender, in turns", byDefault: 9 },
    microseconds: { kind: "number", says: "of a sample", byDefault: 800 },
    runs: { kind: "number", says: "of each pair of processes, one after the other", byDefault: 1 },
  },
  trial: { only: ["NAS_MG_z/0"], sizes: [4096], samples: 1, microseconds: 1 },
  /**
   * The MPI's own packing, ours, contiguous bytes, and what bounds a message on one host take turns within one pair of
   * processes. What a second pair does (SECOND) takes turns with the first.
   */
  async *cells(given, lab) {
    const { mpi: names, fragment, route, staged } = given;
    const fragments = fragment === undefined ? [] : ["--mca", "btl_vader_max_send_size", fragment];
    const types = typesOf(given);
    lab.note({ load: await currentLoad(RANKS), statistic: "timesAsFast: the ratio of least times" });
    yield* inPlace(given, async function* (place, folder, variables) {
      for (const mpi of mpisNamed(names)) {
        const program = compiledWithLibrary(mpi.compiler, folder, "ping-pong.c");
        const launch = place.launch(mpi, mpi.family === "openmpi" ? fragments : []);
        const environment = ["env", await preloadOf(mpi), ...variables];
        const interposed = [...launch, ...environment, ...(staged ? ["STOWAGE_STAGED=on"] : []), program];
        const contender = secondOf(given, mpi);
        const second = SECOND[contender].command({ launch, environment, program, route });
        const label = { workload: "DDTBench", mpi: releaseOf(mpi), contender };
        for (let at = 0; at < types.length; at += CELLS_A_TURN) {
          const list = writeTypes(join(folder, "types"), types.slice(at, at + CELLS_A_TURN), {
            bounds: BOUNDS[mpi.family],
          });
          yield { label, place, interposed, second, list };
        }
      }
    });
  },
  contenders: () => ({}),
  async run(_, { label: { mpi, contender }, place, interposed, second, list }, { samples, microseconds, runs }) {
    const linesOf = async (command, patience) =>
      jsonLines(await place.run([...command, list, samples, microseconds, patience]));
    const turns = [];
    for (let i = 0; i < runs; i++)
      turns.push([await linesOf(interposed, PATIENCE), await linesOf(second, PATIENCE_OF_SECOND)]);
    const [ours, others] = [0, 1].map((i) => pooled(turns.map((turn) => turn[i])));
    return { rows: ours.flatMap((each, i) => rowsOf(cellOf(mpi, contender, each, others[i]))) };
  },
  rows: (_, { rows }) => rows,
  text(rows) {
    const ours = rows.filter(({ contender }) => contender === "ours");
    return [...grouped(ours, ({ mpi }) => mpi)].map(([mpi, own]) => textOf(mpi, own)).join("\n\n");
  },
};
