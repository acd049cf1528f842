// Large messages whole and in chunks, half of a round trip between two ranks, in turns; scattered elements and dense
// ones.
// mpirun -n 2 node packages/mpi-bridge/bench/pipeline.mjs [--json]   adds to results/epyc/bridge-pipeline.json
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commitHash } from "@stowage/bench";
import { contiguous, predefined, vector } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";

const { values: options } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const mpi = openMpi();
const { world } = mpi;
const { rank } = world;
const other = 1 - rank;
const double = predefined("MPI_DOUBLE");
const SIZES = [2 ** 18, 2 ** 20, 2 ** 22, 2 ** 24];
const CHUNKS = [2 ** 16, 2 ** 18, 2 ** 20];
const SAMPLES = 9;
/** Blocks of so many doubles, as far apart as they are long; none: dense. */
const SHAPES = { "blocks of 8 B": 1, "blocks of 256 B": 32, dense: undefined };

const contenders = {
  native: { comm: world, carrier: "native" },
  packed: { comm: world, carrier: "packed" },
  ...Object.fromEntries(
    CHUNKS.map((chunkBytes) => [
      `chunks of ${chunkBytes / 1024} KiB`,
      { comm: world.dup({ pipeline: { chunkBytes } }), carrier: "chunked" },
    ]),
  ),
};

function halfRoundTripNs({ comm }, out, into) {
  const start = performance.now();
  if (rank === 0) {
    comm.send(out, other);
    comm.recv(into, other);
  } else {
    comm.recv(into, other);
    comm.send(out, other);
  }
  return ((performance.now() - start) / 2) * 1e6;
}

const rows = [];
for (const [shape, doubles] of Object.entries(SHAPES)) {
  for (const bytes of SIZES) {
    const count = bytes / 8;
    const datatype =
      doubles === undefined ? contiguous(count, double) : vector(count / doubles, doubles, 2 * doubles, double);
    const length = doubles === undefined ? count : 2 * count;
    const isData = (i) => doubles === undefined || Math.floor(i / doubles) % 2 === 0;
    const sent = Float64Array.from({ length }, (_, i) => i + rank);
    const into = new Float64Array(length);
    const entrants = Object.entries(contenders).filter(([name]) => doubles !== undefined || name !== "native");
    const times = new Map(entrants.map(([name]) => [name, []]));
    const types = new Map(
      ["native", "packed", "chunked"].map((carrier) => [carrier, mpi.commit(datatype, { carrier })]),
    );
    for (let sample = -1; sample < SAMPLES; sample++) {
      for (const [name, contender] of entrants) {
        const elements = (buffer) => ({ buffer, datatype: types.get(contender.carrier), count: 1 });
        into.fill(-1);
        world.barrier();
        const ns = halfRoundTripNs(contender, elements(sent), elements(into));
        if (sample >= 0) times.get(name).push(ns);
        else if (into.some((value, i) => value !== (isData(i) ? i + other : -1)))
          throw new Error(`${name}: wrong bytes`);
      }
    }
    for (const type of types.values()) type[Symbol.dispose]();
    const medians = [...times].map(([contender, list]) => {
      const sorted = list.sort((a, b) => a - b);
      return { contender, medianNs: sorted[SAMPLES >> 1], minNs: sorted[0] };
    });
    rows.push(...medians.map((median) => ({ mpi: mpi.mpi.name, shape, bytes, ...median })));
    const text = medians.map(({ contender, medianNs }) => `${contender} ${(medianNs / 1000).toFixed(0)}`).join(", ");
    if (rank === 0) console.log(`${mpi.mpi.name}, ${shape}, ${bytes / 1024} KiB, us: ${text}`);
  }
}
if (options.json && rank === 0) {
  const file = fileURLToPath(new URL("../../../results/epyc/bridge-pipeline.json", import.meta.url));
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).rows : [];
  const results = {
    schema: "stowage-bridge/1",
    command: "mpirun -n 2 node packages/mpi-bridge/bench/pipeline.mjs --json, once with each MPI",
    date: new Date().toISOString(),
    commit: commitHash(),
    machine: { cpu: cpus()[0].model, cores: cpus().length, node: process.version },
    rows: [...kept.filter(({ mpi: name }) => name !== mpi.mpi.name), ...rows],
  };
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
}
