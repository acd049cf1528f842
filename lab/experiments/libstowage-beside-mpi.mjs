import { describeType } from "@stowage/backend-api";
import { grouped, meanOf, significant } from "@stowage/bench";
import { workload, workloadNames } from "@stowage/workloads";
import { spawnSync } from "node:child_process";
import { DIRECTIONS } from "../parts/host.mjs";
import { BOUNDS, compiledWithLibrary, mpiOption, mpisNamed, run, served } from "../parts/interposed.mjs";

const WAYS = ["libstowage", "libstowage-code", "mpi"];
const SIDES = DIRECTIONS.flatMap((direction) => WAYS.map((contender) => [direction, contender]));
const LEAST_SHOWN = 8;
const MOVE = { count: 1, route: "host", mode: "call", verified: true };

/** One record for the program: count, length, description. */
function record({ datatype, count }, bounds) {
  const description = describeType(datatype, { bounds });
  const head = Buffer.alloc(16);
  head.writeBigInt64LE(BigInt(count), 0);
  head.writeBigInt64LE(BigInt(description.length), 8);
  return Buffer.concat([head, description]);
}

/** A type that has no code has no row of it. */
function rowsOf({ name, count }, family, runs, [packedBytes, ...figures]) {
  return SIDES.flatMap(([direction, way], side) => {
    const [medianNs, minNs, maxNs] = figures.slice(3 * side);
    if (maxNs === 0) return [];
    const contender = way === "mpi" ? family : `${way}-beside-${family}`;
    const commitNs = way === "libstowage" ? figures.at(-1) : 0;
    const times = { medianNs, minNs, maxNs, runs };
    return { ...MOVE, workload: name, count, packedBytes, direction, contender, ...times, commitNs };
  });
}

/** Calls and commits, a row a figure. */
function rowOfCall(line, runs) {
  const [name, ...figures] = line.split(" ");
  const [packedBytes, medianNs, minNs, maxNs, commitNs] = figures.map(Number);
  const workloadName = packedBytes === 8 ? "two integers" : "a list of 100 doubles";
  const times = { medianNs, minNs, maxNs, runs };
  return {
    ...{ ...MOVE, workload: workloadName, packedBytes, direction: "pack", contender: `libstowage-${name}` },
    ...{ ...times, commitNs },
  };
}

/** How many times an MPI's speed the library has: in the mean, and where that is least. */
function meanText(rows, family, contender, direction) {
  const cells = grouped(
    rows.filter((row) => row.direction === direction),
    (row) => row.workload,
  );
  const ratios = [...cells].flatMap(([name, cell]) => {
    const [own, its] = [`${contender}-beside-${family}`, family].map((who) =>
      cell.find((row) => row.contender === who),
    );
    return own === undefined || its === undefined ? [] : [{ name, ratio: its.medianNs / own.medianNs }];
  });
  const mean = meanOf(ratios.map(({ ratio }) => ratio));
  if (mean === undefined) return [];
  const least = ratios.toSorted((a, b) => a.ratio - b.ratio).slice(0, LEAST_SHOWN);
  return [
    `${family} ${direction}: ${contender}: ${significant(mean.geometricMean)} of its speed in geometric mean over ${mean.cells} types`,
    `  least: ${least.map(({ name, ratio }) => `${name} ${significant(ratio)}`).join(", ")}`,
  ];
}

export default {
  name: "libstowage-beside-mpi",
  question:
    "How fast do libstowage's loops and machine code pack beside MPI_Pack, and what do its calls and commits cost?",
  kind: "moves",
  options: {
    ...mpiOption(["openmpi", "mpich"]),
    rounds: { kind: "number", says: "samples", byDefault: 21 },
    "round-ns": { kind: "number", says: "the shortest sample in nanoseconds", byDefault: 100_000 },
    only: { kind: "text", says: "DDTBench's types whose names begin so", byDefault: "" },
  },
  trial: { mpi: ["openmpi"], rounds: 1, roundNs: 1, only: "MILC" },
  async *cells({ mpi, only }) {
    const cases = workloadNames("ddtbench").flatMap((name) => (name.startsWith(only) ? [workload(name)] : []));
    yield* served(async function* (folder, variables) {
      for (const { compiler, family } of mpisNamed(mpi)) {
        if (spawnSync(compiler, ["--version"]).status !== 0) continue;
        const program = compiledWithLibrary(compiler, folder, "pack-beside-mpi.c");
        yield { label: { workload: "DDTBench" }, command: ["env", ...variables, program], cases, family };
      }
      const program = compiledWithLibrary("gcc", folder, "libstowage-calls.c", "runtime/stowage.c");
      yield { label: { workload: "calls and commits" }, command: ["env", ...variables, program] };
    });
  },
  contenders: () => ({}),
  /** Each program has all contenders in it, which checks them and times them in turns. */
  run(_, { command, cases, family }, { rounds, roundNs }) {
    const linesOf = (words, input) => run([...command, ...words], { input }).trim().split("\n"); // prettier-ignore
    if (cases === undefined) return { rows: linesOf([rounds]).map((line) => rowOfCall(line, rounds)) };
    const input = Buffer.concat(cases.map((each) => record(each, BOUNDS[family])));
    const figures = linesOf([rounds, roundNs], input).map((line) => line.split(" ").map(Number));
    return { rows: cases.flatMap((each, i) => rowsOf(each, family, rounds, figures[i])) };
  },
  rows: (_, { rows }) => rows,
  text(rows) {
    const means = Object.keys(BOUNDS).flatMap((family) =>
      DIRECTIONS.flatMap((direction) =>
        WAYS.slice(0, 2).flatMap((contender) => meanText(rows, family, contender, direction)),
      ),
    );
    const calls = rows.filter(({ workload: of }) => /^two integers$|^a list of/.test(of));
    return [
      ...means,
      ...calls.map(
        ({ contender, medianNs, packedBytes, commitNs }) =>
          `${contender}: ${medianNs} ns a pack of ${packedBytes} bytes, ${commitNs} ns a commit`,
      ),
    ].join("\n");
  },
};
