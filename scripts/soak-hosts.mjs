// A soak of random types around a ring of 4 ranks on 2 hosts of this machine under --verify, in parts: each a list of
// types of its own, natively and by our code, whose messages add up. As root, built before:
// node scripts/soak-hosts.mjs --mpi openmpi|mpich-ofi [--parts N] [--first SEED] [--messages N] [--types N] [--times N]
// [--minutes N] [--json FILE]. No part begins when the minutes are over. The MPI's compiler and launcher are on PATH;
// MPICH's ch4:ofi, of which Debian has no package, is built by scripts/mpich-ofi.mjs, and staged there.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { heading, outputFile, scriptCommand } from "@stowage/bench";
import { BY_BTL_TCP, launchBetween, TestHosts } from "lab/hosts";
import { countsOf, soaked } from "../packages/interposer/checks/told.mjs";

const { values: options } = parseArgs({
  options: {
    mpi: { type: "string", default: "openmpi" },
    parts: { type: "string", default: "10" },
    first: { type: "string", default: "1" },
    messages: { type: "string", default: "10000" },
    types: { type: "string", default: "100" },
    times: { type: "string", default: "1" },
    minutes: { type: "string", default: "600" },
    json: { type: "string" },
  },
});
const RANKS = 4;
/** Messages of the run before, which has the service compile what the part's are of. */
const BEFORE = "400";
const PART_MS = 20 * 60_000;
const MPIS = {
  openmpi: { family: "openmpi", settings: BY_BTL_TCP, variables: {} },
  "mpich-ofi": { family: "mpich", settings: [], variables: { STOWAGE_STAGED: "on" } },
};
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const STOWAGE = [process.execPath, path("../packages/cli/bin/stowage.js"), "run"];
const mpi = MPIS[options.mpi];
if (mpi === undefined) throw new Error(`--mpi: expected ${Object.keys(MPIS).join(" or ")}, got ${options.mpi}`);
const compiler = `mpicc.${options.mpi}`;
const launcher = `${mpi.family === "openmpi" ? "mpirun" : "mpiexec"}.${options.mpi}`;

async function part(hosts, seed) {
  const program = join(hosts.folder, "soak");
  const env = {
    OMPI_ALLOW_RUN_AS_ROOT: "1",
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
    STOWAGE_CACHE: join(hosts.folder, "cache"),
    STOWAGE_INTERPOSER: join(hosts.folder, "lib"),
    STOWAGE_MPICC: compiler,
    ...mpi.variables,
  };
  const run = async (messages, ...before) => {
    const words = [...launchBetween(hosts, { family: mpi.family, launcher }, RANKS, mpi.settings), program];
    const begun = performance.now();
    const all = [...before, ...words, messages, options.types, String(seed), options.times];
    const { status, stdout, stderr } = await hosts.run("host1", all, env, PART_MS);
    if (status !== 0) throw new Error(`seed ${seed}: expected to end with 0, got ${status}: ${stderr.slice(-500)}`);
    return { ...soaked(stdout), told: stderr, seconds: Math.round((performance.now() - begun) / 1000) };
  };
  const native = await run(options.messages);
  await run(BEFORE, ...STOWAGE, "--");
  const ours = await run(options.messages, ...STOWAGE, "--verify", "--verbose", "--");
  const { received, ranges, differences } = countsOf(ours.told);
  return {
    seed,
    messages: native.messages,
    isSame: native.line === ours.line,
    ...received,
    ranges,
    differences,
    seconds: ours.seconds,
    nativeSeconds: native.seconds,
  };
}

const file = options.json === undefined ? undefined : outputFile(options.json, "--json");
const until = performance.now() + Number(options.minutes) * 60_000;
const head = { ...heading(scriptCommand()), schema: "stowage-hosts-soak/1", mpi: options.mpi, ranks: RANKS, hosts: 2 };
const parts = [];
const hosts = await TestHosts.start(2);
try {
  const source = path("../packages/interposer/tests/programs/soak.c");
  const built = spawnSync(compiler, ["-std=gnu11", "-O1", "-o", join(hosts.folder, "soak"), source]);
  if (built.status !== 0) throw new Error(`${compiler}: ${built.stderr}`);
  for (let i = 0; i < Number(options.parts) && performance.now() < until; i++) {
    const done = await part(hosts, Number(options.first) + i);
    parts.push(done);
    console.log(JSON.stringify(done));
    const sum = (name) => parts.reduce((all, each) => all + each[name], 0);
    const sums = Object.fromEntries(["messages", "ours", "native", "ranges", "differences"].map((n) => [n, sum(n)]));
    file?.write(`${JSON.stringify({ ...head, sums, parts }, null, 1)}\n`);
  }
} finally {
  await hosts[Symbol.asyncDispose]();
}
process.exit(parts.every(({ isSame, differences }) => isSame && differences === 0) ? 0 : 1);
