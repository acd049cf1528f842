// A soak of random types around a ring of 4 ranks under --verify, for each MPI that is installed: the same bytes
// natively and by our code, and who packed what. Programs of the standard's ABI are run too where scripts/in-debian.mjs
// has wrappers for them. node packages/interposer/bench/soak.mjs [--messages N] [--types N] [--seed N]
// [--mpi openmpi|mpich|openmpi-abi|mpich-abi] [--json FILE]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commitHash, scriptCommand } from "@stowage/bench";
import { buildLibrary, startService } from "@stowage/interposer";
import { AS_ROOT, MPIS, releaseOf } from "./installed-mpis.mjs";

const { values: options } = parseArgs({
  options: {
    messages: { type: "string", default: "10000" },
    types: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    mpi: { type: "string", default: "" },
    json: { type: "string" },
  },
});
const PROGRAMS = fileURLToPath(new URL("../tests/programs/", import.meta.url));
const RANKS = 4;
const words = [options.messages, options.types, options.seed];

function run(launch, variables, program) {
  const [command, ...args] = [...launch, "env", ...variables, program, ...words];
  const env = { ...process.env, ...AS_ROOT };
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", env, maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${program}: expected to end with 0, got ${status}: ${stderr.slice(-500)}`);
  return { output: stdout.trim(), told: stderr };
}

/** Sums of what the ranks say at their ends. */
function countsOf(told) {
  const sides = { sent: { ours: 0, native: 0 }, received: { ours: 0, native: 0 } };
  for (const [, a, b, c, d] of told.matchAll(/sent: (\d+) and (\d+), received: (\d+) and (\d+) messages/g)) {
    sides.sent.ours += Number(a);
    sides.sent.native += Number(b);
    sides.received.ours += Number(c);
    sides.received.native += Number(d);
  }
  const compared = { ranges: 0, differences: 0 };
  for (const [, ranges, differences] of told.matchAll(/rank \d+: (\d+) ranges compared, (\d+) differences/g)) {
    compared.ranges += Number(ranges);
    compared.differences += Number(differences);
  }
  return { ...sides, ...compared };
}

async function soak(mpi) {
  const { compiler } = mpi;
  const launch = [...mpi.launch, "-n", String(RANKS)];
  const folder = mkdtempSync(join(tmpdir(), "stowage-soak-"));
  const cache = join(folder, "cache");
  const service = await startService({ ...process.env, STOWAGE_CACHE: cache, XDG_RUNTIME_DIR: folder });
  try {
    const program = join(folder, "soak");
    const built = spawnSync(compiler, ["-std=gnu11", "-O1", "-o", program, join(PROGRAMS, "soak.c")], {
      encoding: "utf8",
    });
    if (built.status !== 0) throw new Error(`${compiler}: expected a program, got ${built.stderr}`);
    const { path } = await buildLibrary(compiler);
    const ours = [`LD_PRELOAD=${path}`, `STOWAGE_CACHE=${cache}`, `STOWAGE_SERVICE=${service.path}`];
    const native = run(launch, ["STOWAGE_VERBOSE=0"], program);
    const cold = run(launch, ours, program);
    await setTimeout(5000);
    const begun = performance.now();
    const warm = run(launch, [...ours, "STOWAGE_VERBOSE=1", "STOWAGE_VERIFY=1"], program);
    const seconds = Math.round((performance.now() - begun) / 1000);
    return {
      mpi: releaseOf(mpi),
      ranks: RANKS,
      messages: Number(/^(\d+) messages/.exec(native.output)?.[1]),
      mode: /stowage: ([^\n]*): the self-test passed/.exec(warm.told)?.[1] ?? "native",
      seconds,
      isSame: native.output === cold.output && native.output === warm.output,
      ...countsOf(warm.told),
    };
  } finally {
    service.process?.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }); // the service may still write
  }
}

const rows = [];
for (const mpi of MPIS) {
  if (options.mpi !== "" && options.mpi !== mpi.name) continue;
  if (spawnSync(mpi.compiler, ["--version"]).status !== 0) continue;
  const row = await soak(mpi);
  rows.push(row);
  console.log(JSON.stringify(row));
}
if (options.json !== undefined) {
  const machine = { cpu: cpus()[0].model, cores: cpus().length, node: process.version };
  const head = { schema: "stowage-interposer-soak/1", command: scriptCommand(), date: new Date().toISOString() };
  writeFileSync(options.json, `${JSON.stringify({ ...head, commit: commitHash(), machine, rows }, null, 1)}\n`);
}
process.exit(rows.every(({ isSame, differences }) => isSame && differences === 0) ? 0 : 1);
