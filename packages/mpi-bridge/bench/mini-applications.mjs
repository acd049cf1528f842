// FFT2 and MILC under both MPIs, native datatypes and ours in turns in one process: node
// packages/mpi-bridge/bench/mini-applications.mjs [--only fft2|milc] [--mpi openmpi|mpich] [--out
// results/epyc/mini-applications.json]. With --out, other rows of that file stay.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commitHash, scriptCommand } from "@stowage/bench";
import { findMpis } from "@stowage/mpi-abi";

const text = { type: "string" };
const { values: options } = parseArgs({ options: { only: text, mpi: text, out: text } });
/** Problem sizes of the DAME paper (FFT2) and iterations that take a few seconds. */
const RUNS = [
  [
    "fft2",
    "--size",
    2,
    [
      [256, 100],
      [512, 40],
      [768, 16],
      [1024, 10],
      [1536, 4],
    ],
  ],
  [
    "milc",
    "--points",
    4,
    [
      [4, 200],
      [8, 60],
      [12, 16],
      [16, 6],
    ],
  ],
];
const LAUNCH = {
  openmpi: ["mpirun.openmpi", "--oversubscribe", "-n"],
  mpich: ["mpiexec.mpich", "-n"],
};
const libraryOf = (name) =>
  findMpis().find((path) => (name === "openmpi" ? /libmpi\.so\.40/ : /libmpi(ch)?\.so\.12/).test(path));
const env = { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
const head = {
  schema: "stowage-mini-applications/1",
  command: scriptCommand(),
  date: new Date().toISOString(),
  commit: commitHash(),
  machine: { cpu: cpus()[0].model, cores: cpus().length, gpu: null, driver: null, node: process.version },
};
const kept =
  options.out !== undefined && existsSync(options.out) ? JSON.parse(readFileSync(options.out, "utf8")).rows : [];
const rows = [];

for (const [mpi, [launcher, ...args]] of Object.entries(LAUNCH)) {
  if (options.mpi !== undefined && options.mpi !== mpi) continue;
  for (const [name, size, ranks, runs] of RUNS) {
    if (options.only !== undefined && options.only !== name) continue;
    for (const [length, iterations] of runs) {
      const program = fileURLToPath(new URL(`../examples/${name}/${name}.mjs`, import.meta.url));
      const command = [...args, ranks, process.execPath, program, size, length, "--iterations", iterations, "--json"];
      const run = spawnSync(launcher, command.map(String), {
        encoding: "utf8",
        timeout: 85_000,
        env: { ...env, STOWAGE_MPI: libraryOf(mpi) },
      });
      if (run.status !== 0)
        throw new Error(`${name} ${length}: expected to end with 0, got ${run.status}: ${run.stderr}`);
      const { native, ours } = JSON.parse(run.stdout.split("\n").find((line) => line.startsWith("{")));
      rows.push({ application: name, size: length, ranks, mpi, iterations, native, ours });
      const ratios = [native.overallMs / ours.overallMs, native.nonWaitMs / ours.nonWaitMs];
      const [overall, nonWait] = ratios.map((ratio) => ratio.toFixed(2));
      console.log(`${name} ${length} on ${ranks} ranks, ${mpi}: ${overall} x overall, ${nonWait} x without waiting`);
      keep();
    }
  }
}

/** Rows of this run take the place of earlier ones of the same application, size and MPI. */
function keep() {
  if (options.out === undefined) return;
  const keyOf = ({ application, size, mpi }) => `${application} ${size} ${mpi}`;
  const measured = new Set(rows.map(keyOf));
  const all = [...kept.filter((row) => !measured.has(keyOf(row))), ...rows];
  writeFileSync(options.out, `${JSON.stringify({ ...head, rows: all }, null, 1)}\n`);
}
