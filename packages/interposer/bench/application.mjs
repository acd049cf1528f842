// A known application end to end, with the MPI's packing and with ours: a 2D FFT by mpi4py-fft between two ranks, and
// the share of it that its transposes take. node packages/interposer/bench/application.mjs [--json FILE]; needs
// Debian's python3-mpi4py-fft (Open MPI).
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commitHash, scriptCommand } from "@stowage/bench";
import { buildLibrary, startService } from "@stowage/interposer";

const { values: options } = parseArgs({
  options: {
    json: { type: "string" },
    sizes: { type: "string", default: "256,512,1024,2048" },
    samples: { type: "string", default: "15" },
  },
});
const program = fileURLToPath(new URL("fft2.py", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "stowage-application-"));
const TRANSFORMED_A_SAMPLE = 2 ** 21;
const MICROSECONDS = 1e6;

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const micro = (seconds) => Number((seconds * MICROSECONDS).toFixed(1));

/** Times of [a transform there and back, its transposes]. */
function timesOf(samples) {
  const [whole, transposes] = [0, 1].map((i) => samples.map((sample) => sample[i]));
  return {
    medianUs: micro(median(whole)),
    minUs: micro(Math.min(...whole)),
    transposesMedianUs: micro(median(transposes)),
    transposesMinUs: micro(Math.min(...transposes)),
  };
}

const service = await startService({ ...process.env, STOWAGE_CACHE: join(folder, "cache") });
const rows = [];
try {
  const preload = `LD_PRELOAD=${(await buildLibrary("mpicc.openmpi")).path}`;
  const variables = [preload, `STOWAGE_CACHE=${join(folder, "cache")}`, `STOWAGE_SERVICE=${service.path}`];
  for (const size of options.sizes.split(",").map(Number)) {
    const turns = Math.max(1, Math.floor(TRANSFORMED_A_SAMPLE / size ** 2));
    const words = ["--oversubscribe", "-n", "2", "env", ...variables, "/usr/bin/python3", program];
    const { status, stdout, stderr } = spawnSync(
      "mpirun.openmpi",
      [...words, size, options.samples, turns].map(String),
      {
        encoding: "utf8",
        env: { ...process.env, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1", OMP_NUM_THREADS: "1" },
      },
    );
    if (status !== 0) throw new Error(`fft2.py: expected to end with 0, got ${status}: ${stderr.slice(-300)}`);
    const { error, ourBytes, nativeBytes, native, ours } = JSON.parse(stdout);
    if (!(error < 1e-10)) throw new Error(`fft2.py: expected the field back, got one off by ${error}`);
    const row = {
      application: "mpi4py-fft 2.0.4, 2D, complex double, forward and backward",
      size,
      ranks: 2,
      shareOfOurs: Number((ourBytes / (ourBytes + nativeBytes)).toFixed(4)),
      native: timesOf(native),
      ours: timesOf(ours),
    };
    row.timesAsFast = Number((row.native.minUs / row.ours.minUs).toFixed(3));
    row.transposesTimesAsFast = Number((row.native.transposesMinUs / row.ours.transposesMinUs).toFixed(3));
    rows.push(row);
    const show = (each) => `${each.minUs} us, ${each.transposesMinUs} in transposes`;
    console.log(`${size}^2: native ${show(row.native)}; ours ${show(row.ours)}; ${row.timesAsFast} times as fast`);
  }
  if (options.json !== undefined) {
    const file = {
      schema: "stowage-interposer-application/1",
      command: scriptCommand(),
      date: new Date().toISOString(),
      commit: commitHash(),
      machine: { cpu: cpus()[0].model, cores: cpus().length, node: process.version },
      statistic: "timesAsFast: the ratio of least times",
      rows,
    };
    writeFileSync(options.json, `${JSON.stringify(file, null, 1)}\n`);
  }
} finally {
  service.process?.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
