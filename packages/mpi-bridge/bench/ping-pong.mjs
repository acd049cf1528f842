// Ping-pong between two ranks from Node beside C on the same MPI, in turns: node
// packages/mpi-bridge/bench/ping-pong.mjs [--json] Writes results/epyc/bridge-ping-pong.json with --json. Needs mpicc.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commitHash, scriptCommand } from "@stowage/bench";
import { findMpis } from "@stowage/mpi-abi";

const { values: options } = parseArgs({
  options: { json: { type: "boolean", default: false }, rounds: { type: "string", default: "3" } },
});
const MPIS = [
  {
    name: "openmpi",
    compiler: "mpicc.openmpi",
    launch: ["mpirun.openmpi", "--oversubscribe", "--bind-to", "core", "-n", "2"],
  },
  { name: "mpich", compiler: "mpicc.mpich", launch: ["mpiexec.mpich", "-bind-to", "core", "-n", "2"] },
];
const SIZES = [
  { bytes: 8, turns: 20_000, samples: 9 },
  { bytes: 2 ** 20, turns: 200, samples: 21 },
];
const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stowage-bridge-"));
const env = { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };

function run([command, ...args], environment = env) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", env: environment, timeout: 60_000 });
  if (status !== 0)
    throw new Error(`${command}: expected to end with 0, got ${status}: ${stderr.trim().split("\n")[0]}`);
  return stdout;
}

const libraryOf = (name) =>
  findMpis().find((path) => (name === "openmpi" ? /libmpi\.so\.40/ : /libmpi(ch)?\.so\.12/).test(path));
const least = (samples) => samples.reduce((best, each) => (each.medianNs < best.medianNs ? each : best));

const rows = [];
try {
  for (const { name, compiler, launch } of MPIS) {
    const program = join(folder, name);
    run([compiler, "-O2", "-o", program, join(here, "ping-pong.c")]);
    for (const { bytes, turns, samples } of SIZES) {
      const args = [bytes, turns, samples].map(String);
      const contenders = {
        c: [...launch, program, ...args],
        node: [...launch, process.execPath, join(here, "ping-pong-node.mjs"), ...args],
      };
      const times = { c: [], node: [] };
      for (let round = 0; round < Number(options.rounds); round++) {
        for (const [contender, command] of Object.entries(contenders)) {
          const line = run(command, { ...env, STOWAGE_MPI: libraryOf(name) });
          times[contender].push(JSON.parse(line.split("\n").find((each) => each.startsWith("{"))));
        }
      }
      for (const contender of ["c", "node"]) rows.push({ mpi: name, bytes, contender, ...least(times[contender]) });
      const [c, node] = [least(times.c), least(times.node)];
      const over = node.medianNs - c.medianNs;
      console.log(
        `${name} ${bytes} B: C ${c.medianNs.toFixed(0)} ns, Node ${node.medianNs.toFixed(0)} ns: ${over.toFixed(0)} ns more, ${((100 * over) / c.medianNs).toFixed(1)} %`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (options.json) {
  const results = {
    schema: "stowage-bridge/1",
    command: scriptCommand(),
    date: new Date().toISOString(),
    commit: commitHash(),
    machine: { cpu: cpus()[0].model, cores: cpus().length, node: process.version },
    rows,
  };
  const file = fileURLToPath(new URL("../../../results/epyc/bridge-ping-pong.json", import.meta.url));
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
}
