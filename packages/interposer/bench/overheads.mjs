// What a program pays that gains nothing: instructions of a contiguous message (callgrind), and MPI_Type_commit
// natively, missed, from disk and from memory. node packages/interposer/bench/overheads.mjs [--json FILE]; needs
// valgrind.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commitHash, scriptCommand } from "@stowage/bench";
import { buildLibrary, startService } from "@stowage/interposer";

const { values: options } = parseArgs({ options: { json: { type: "string" } } });
const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stowage-overheads-"));
const [FEW, MANY, CYCLES] = [1000, 21_000, 100_000];
const base = { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };

function run(words, variables) {
  const { status, stdout, stderr } = spawnSync("env", [...variables, ...words], { encoding: "utf8", env: base });
  if (status !== 0) throw new Error(`${words[0]}: expected to end with 0, got ${status}: ${stderr.slice(-300)}`);
  return `${stdout}\n${stderr}`;
}

/** Instructions of one message to this rank itself, received and sent. */
function instructions(program, variables) {
  const [few, many] = [FEW, MANY].map((turns) => {
    const out = `--callgrind-out-file=${join(folder, "callgrind")}`;
    const words = ["valgrind", "--tool=callgrind", out, program, String(turns)];
    return Number(/Collected : (\d+)/.exec(run(words, variables))?.[1]);
  });
  return Number(((many - few) / (MANY - FEW)).toFixed(1));
}

const service = await startService({ ...process.env, STOWAGE_CACHE: join(folder, "cache") });
const rows = [];
try {
  for (const mpi of ["openmpi", "mpich"]) {
    const built = (name) => {
      const program = join(folder, `${name}-${mpi}`);
      run([`mpicc.${mpi}`, "-O2", "-o", program, join(here, `${name}.c`)], []);
      return program;
    };
    const preload = `LD_PRELOAD=${(await buildLibrary(`mpicc.${mpi}`)).path}`;
    const ours = [preload, `STOWAGE_CACHE=${join(folder, `cache-${mpi}`)}`, `STOWAGE_SERVICE=${service.path}`];
    const contiguous = built("contiguous");
    const [without, withOurs] = [instructions(contiguous, ["A=1"]), instructions(contiguous, [preload])];
    const commits = built("commits");
    const times = (variables) => JSON.parse(/\{.*\}/.exec(run([commits, String(CYCLES)], variables))[0]);
    const [native, missed] = [times(["A=1"]), times(ours)];
    await setTimeout(3000);
    const shared = [preload, `STOWAGE_CACHE=${join(folder, "cache")}`];
    const warm = times(shared);
    const row = {
      mpi,
      instructionsNative: without,
      instructionsInterposed: withOurs,
      commitNs: {
        native: native.firstCommitNs,
        miss: missed.firstCommitNs,
        disk: warm.firstCommitNs,
        memory: warm.laterCommitNs,
      },
      residentKiB: { before: warm.residentKiBBefore, after: warm.residentKiBAfter, cycles: CYCLES },
    };
    rows.push(row);
    console.log(JSON.stringify(row));
  }
  if (options.json !== undefined) {
    const machine = { cpu: cpus()[0].model, cores: cpus().length, node: process.version };
    const command = scriptCommand();
    const file = {
      schema: "stowage-interposer-overheads/1",
      command,
      date: new Date().toISOString(),
      commit: commitHash(),
      machine,
      rows,
    };
    writeFileSync(options.json, `${JSON.stringify(file, null, 1)}\n`);
  }
} finally {
  service.process?.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
