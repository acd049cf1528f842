// libstowage's loops beside MPI_Pack and MPI_Unpack of each MPI that is installed, over DDTBench, and what its calls
// and commits cost (bench/calls.c): a result file.
//   node packages/libstowage/bench/pack-beside-mpi.mjs --out FILE [--rounds N] [--round-ns N] [--only PREFIX]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeType } from "@stowage/backend-api";
import { heading, scriptCommand, writeResults } from "@stowage/bench";
import { librarySources } from "@stowage/libstowage";
import { workload, workloadNames } from "@stowage/workloads";

const here = fileURLToPath(new URL(".", import.meta.url));
const { values } = parseArgs({
  options: {
    out: { type: "string" },
    rounds: { type: "string", default: "21" },
    "round-ns": { type: "string", default: "100000" },
    only: { type: "string" },
  },
});
const rounds = Number(values.rounds);

const MPIS = [
  { compiler: "mpicc.openmpi", rule: "open-mpi", family: "openmpi" },
  { compiler: "mpicc.mpich", rule: "mpich", family: "mpich" },
].filter(({ compiler }) => spawnSync(compiler, ["--version"]).status === 0);
const SIDES = [
  ["pack", "libstowage"],
  ["pack", "mpi"],
  ["unpack", "libstowage"],
  ["unpack", "mpi"],
];

function run(command, args, input) {
  const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${command}: expected to succeed, got ${stderr.trim() || status}`);
  return stdout;
}

const names = workloadNames("ddtbench").filter((name) => values.only === undefined || name.startsWith(values.only));
const cases = names.map((name) => workload(name));

/** One record for the program: count, length, description. */
function record({ datatype, count }, bounds) {
  const description = describeType(datatype, { bounds });
  const head = Buffer.alloc(16);
  head.writeBigInt64LE(BigInt(count), 0);
  head.writeBigInt64LE(BigInt(description.length), 8);
  return Buffer.concat([head, description]);
}

function measured({ compiler, rule, family }, folder) {
  const program = built(compiler, "pack-beside-mpi.c", join(folder, family));
  const input = Buffer.concat(cases.map((each) => record(each, rule)));
  const lines = run(program, [String(rounds), values["round-ns"]], input)
    .trim()
    .split("\n");
  return cases.flatMap((each, i) => rowsOf(each, family, lines[i].split(" ").map(Number)));
}

function rowsOf({ name, count }, family, [packedBytes, ...figures]) {
  return SIDES.map(([direction, contender], side) => {
    const [medianNs, minNs, maxNs] = figures.slice(3 * side);
    return {
      workload: name,
      count,
      packedBytes,
      direction,
      route: "host",
      contender: contender === "mpi" ? family : `${contender}-beside-${family}`,
      mode: "call",
      medianNs,
      minNs,
      maxNs,
      runs: rounds,
      verified: true,
      commitNs: contender === "mpi" ? 0 : figures.at(-1),
    };
  });
}

/** Compiles a program of this folder with all of libstowage. */
function built(compiler, source, program) {
  const { files, includes } = librarySources();
  const flags = ["-std=gnu11", "-O3", ...includes.map((each) => `-I${each}`)];
  run(compiler, [...flags, "-o", program, join(here, source), ...files, "-ldl"]);
  return program;
}

/** Calls and commits, a row a figure. */
function calls(folder) {
  const lines = run(built("gcc", "calls.c", join(folder, "calls")), [String(rounds)])
    .trim()
    .split("\n");
  return lines.map((line) => {
    const [name, ...figures] = line.split(" ");
    const [packedBytes, medianNs, minNs, maxNs, commitNs] = figures.map(Number);
    console.log(`${name}: ${medianNs} ns a pack of ${packedBytes} bytes, ${commitNs} ns a commit`);
    return {
      workload: packedBytes === 8 ? "two integers" : "a list of 100 doubles",
      count: 1,
      packedBytes,
      direction: "pack",
      route: "host",
      contender: `libstowage-${name}`,
      mode: "call",
      ...{ medianNs, minNs, maxNs, runs: rounds, verified: true, commitNs },
    };
  });
}

function said(rows, { family }) {
  for (const direction of ["pack", "unpack"]) {
    const of = (contender) => rows.filter((row) => row.contender === contender && row.direction === direction);
    const [ours, theirs] = [of(`libstowage-beside-${family}`), of(family)];
    const ratios = ours.map((row, i) => ({ name: row.workload, ratio: theirs[i].medianNs / row.medianNs }));
    const mean = Math.exp(ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length);
    const worst = ratios.toSorted((a, b) => a.ratio - b.ratio).slice(0, 8);
    console.log(
      `${family} ${direction}: ${mean.toFixed(2)} of its speed in geometric mean over ${ratios.length} types`,
    );
    console.log(`  least: ${worst.map(({ name, ratio }) => `${name} ${ratio.toFixed(2)}`).join(", ")}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), "pack-beside-mpi-"));
try {
  const rows = MPIS.flatMap((mpi) => {
    const own = measured(mpi, folder);
    said(own, mpi);
    return own;
  });
  rows.push(...calls(folder));
  if (values.out !== undefined) writeResults(values.out, heading(scriptCommand(import.meta.url)), rows);
} finally {
  rmSync(folder, { recursive: true });
}
