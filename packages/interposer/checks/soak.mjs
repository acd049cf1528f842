// A soak of random types around a ring of 4 ranks under --verify, for each MPI that is installed: the same bytes
// natively and by our code, and who packed what. Programs of the standard's ABI are run too where scripts/in-debian.mjs
// has wrappers for them. node packages/interposer/checks/soak.mjs [--messages N] [--types N] [--seed N] [--times N]
// [--block N] [--mpi openmpi|mpich|openmpi-abi|mpich-abi] [--json FILE]. --times: elements of a message, as many times
// as many; --block: basic elements side by side, of more than one out of memory of MPI_Alloc_mem.
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { heading, outputFile, removeFolder, scriptCommand } from "@stowage/bench";
import { buildLibrary, mpiIdentity, startService } from "@stowage/interposer";
import { countsOf, soaked } from "./told.mjs";

const { values: options } = parseArgs({
  options: {
    messages: { type: "string", default: "10000" },
    types: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    times: { type: "string", default: "1" },
    block: { type: "string", default: "1" },
    mpi: { type: "string", default: "" },
    json: { type: "string" },
  },
});
const PROGRAM = fileURLToPath(new URL("../tests/programs/soak.c", import.meta.url));
const RANKS = 4;
const COMPILE_MS = 5000;
const AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
const LAUNCHERS = { openmpi: ["mpirun.openmpi", "--oversubscribe"], mpich: ["mpiexec.mpich"] };
/** By the names of Debian's packages: the compiler of each, which for the standard's ABI in-debian.mjs brings. */
const COMPILERS = {
  openmpi: "mpicc.openmpi",
  mpich: "mpicc.mpich",
  "openmpi-abi": "mpicc_abi.openmpi",
  "mpich-abi": "mpicc_abi.mpich",
};

function run([command, ...args]) {
  const env = { ...process.env, ...AS_ROOT };
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", env, maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${command}: expected to end with 0, got ${status}: ${stderr.slice(-500)}`);
  return { output: stdout, told: stderr };
}

async function soak(name, compiler) {
  const family = name.replace("-abi", "");
  const folder = mkdtempSync(join(tmpdir(), "stowage-soak-"));
  const cache = join(folder, "cache");
  const service = await startService({ ...process.env, STOWAGE_CACHE: cache, XDG_RUNTIME_DIR: folder });
  try {
    const program = join(folder, "soak");
    run([compiler, "-std=gnu11", "-O1", "-o", program, PROGRAM]);
    const { path } = await buildLibrary(compiler);
    const ours = [`LD_PRELOAD=${path}`, `STOWAGE_CACHE=${cache}`, `STOWAGE_SERVICE=${service.path}`];
    const words = [program, options.messages, options.types, options.seed, options.times, options.block];
    const ring = (...variables) =>
      run([...LAUNCHERS[family], "-n", String(RANKS), "env", "STOWAGE_VERBOSE=0", ...variables, ...words]);
    const native = soaked(ring().output);
    const cold = ring(...ours);
    await setTimeout(COMPILE_MS);
    const begun = performance.now();
    const warm = ring(...ours, "STOWAGE_VERBOSE=1", "STOWAGE_VERIFY=1");
    const seconds = Math.round((performance.now() - begun) / 1000);
    return {
      mpi: `${family}-${mpiIdentity(`mpicc.${family}`).version}${name.slice(family.length)}`,
      ranks: RANKS,
      messages: native.messages,
      mode: /stowage: (packing [^\n:]*): /.exec(warm.told)?.[1] ?? "native",
      seconds,
      isSame: [cold, warm].every(({ output }) => soaked(output).line === native.line),
      ...countsOf(warm.told),
    };
  } finally {
    service.process?.kill("SIGKILL");
    await removeFolder(folder);
  }
}

const file = options.json === undefined ? undefined : outputFile(options.json, "--json");
const head = { ...heading(scriptCommand()), schema: "stowage-interposer-soak/1" };
const rows = [];
for (const [name, compiler] of Object.entries(COMPILERS)) {
  if (options.mpi !== "" && options.mpi !== name) continue;
  if (spawnSync(compiler, ["--version"]).status !== 0) continue;
  const row = await soak(name, compiler);
  rows.push(row);
  console.log(JSON.stringify(row));
}
file?.write(`${JSON.stringify({ ...head, rows }, null, 1)}\n`);
process.exit(rows.every(({ isSame, differences }) => isSame && differences === 0) ? 0 : 1);
