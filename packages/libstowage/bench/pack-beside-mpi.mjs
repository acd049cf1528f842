// libstowage's loops, and machine code through it, beside MPI_Pack and MPI_Unpack of each MPI that is installed, over
// DDTBench, and what its calls and commits cost (bench/calls.c): a result file. Code is that of a service of its own.
//   node packages/libstowage/bench/pack-beside-mpi.mjs --out FILE [--rounds N] [--round-ns N] [--only PREFIX]
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
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
const SIDES = ["pack", "unpack"].flatMap((direction) =>
  ["libstowage", "libstowage-code", "mpi"].map((contender) => [direction, contender]),
);
const STOWAGE = fileURLToPath(new URL("../../../node_modules/.bin/stowage", import.meta.url));

/** A compile service with a cache of its own, and what tells programs of it. */
async function served(folder) {
  const environment = { ...process.env, STOWAGE_CACHE: join(folder, "cache"), XDG_RUNTIME_DIR: folder };
  const serving = spawn(STOWAGE, ["serve"], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
  const [path] = await once(serving.stdout, "data");
  return { serving, environment: { ...environment, STOWAGE_SERVICE: String(path).trim() } };
}

function run(command, args, { input, env } = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { input, env, encoding: "utf8", maxBuffer: 2 ** 28 });
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

function measured({ compiler, rule, family }, folder, env) {
  const program = built(compiler, "pack-beside-mpi.c", join(folder, family));
  const input = Buffer.concat(cases.map((each) => record(each, rule)));
  const lines = run(program, [String(rounds), values["round-ns"]], { input, env })
    .trim()
    .split("\n");
  return cases.flatMap((each, i) => rowsOf(each, family, lines[i].split(" ").map(Number)));
}

/** A type that has no code has no row of it. */
function rowsOf({ name, count }, family, [packedBytes, ...figures]) {
  return SIDES.flatMap(([direction, contender], side) => {
    const [medianNs, minNs, maxNs] = figures.slice(3 * side);
    if (maxNs === 0) return [];
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
      commitNs: contender === "libstowage" ? figures.at(-1) : 0,
    };
  });
}

/** Compiles a program of this folder with all of libstowage that it does not include. */
function built(compiler, source, program, included = "none") {
  const { files, includes } = librarySources();
  const flags = ["-std=gnu11", "-O3", ...includes.map((each) => `-I${each}`)];
  run(compiler, [
    ...flags,
    "-o",
    program,
    join(here, source),
    ...files.filter((path) => !path.endsWith(included)),
    "-ldl",
  ]);
  return program;
}

/** Calls and commits, a row a figure. */
function calls(folder, env) {
  const program = built("gcc", "calls.c", join(folder, "calls"), "runtime/stowage.c");
  const lines = run(program, [String(rounds)], { env })
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
  for (const direction of ["pack", "unpack"])
    for (const contender of ["libstowage", "libstowage-code"]) {
      const timesOf = (name) => {
        const own = rows.filter((row) => row.contender === name && row.direction === direction);
        return new Map(own.map(({ workload, medianNs }) => [workload, medianNs]));
      };
      const [ours, theirs] = [timesOf(`${contender}-beside-${family}`), timesOf(family)];
      const ratios = [...ours].map(([name, ns]) => ({ name, ratio: theirs.get(name) / ns }));
      const mean = Math.exp(ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length);
      const worst = ratios.toSorted((a, b) => a.ratio - b.ratio).slice(0, 8);
      console.log(
        `${family} ${direction}: ${contender}: ${mean.toFixed(2)} of its speed in geometric mean over ${ratios.length} types`,
      );
      console.log(`  least: ${worst.map(({ name, ratio }) => `${name} ${ratio.toFixed(2)}`).join(", ")}`);
    }
}

const folder = mkdtempSync(join(tmpdir(), "pack-beside-mpi-"));
const { serving, environment } = await served(folder);
try {
  const rows = MPIS.flatMap((mpi) => {
    const own = measured(mpi, folder, environment);
    said(own, mpi);
    return own;
  });
  rows.push(...calls(folder, environment));
  if (values.out !== undefined) writeResults(values.out, heading(scriptCommand(import.meta.url)), rows);
} finally {
  serving.kill();
  await once(serving, "exit");
  rmSync(folder, { recursive: true });
}
