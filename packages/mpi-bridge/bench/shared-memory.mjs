// Messages of the host's memory by each carrier, half of a round trip between two ranks of a host, the carriers in
// turns; scattered elements and dense ones.
// mpirun -n 2 node packages/mpi-bridge/bench/shared-memory.mjs [--json]   adds to
// results/epyc/bridge-shared-memory.json; Open MPI's with --bind-to none, for Node has threads of its own
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commitHash } from "@stowage/bench";
import { contiguous, indexedBlock, predefined, vector } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";

const { values: options } = parseArgs({ options: { json: { type: "boolean", default: false } } });
const mpi = openMpi();
const { world } = mpi;
const { rank } = world;
const other = 1 - rank;
const double = predefined("MPI_DOUBLE");
const SIZES = [2 ** 15, 2 ** 16, 2 ** 18, 2 ** 20, 2 ** 22, 2 ** 24];
const SAMPLES = 9;
/** What a sample takes, and what goes ahead of the first, until V8 has compiled what runs. */
const SAMPLE_NS = 4e6;
const WARM_UP_NS = 4e7;
const COLUMNS = 64;
/** Datatypes of so many doubles, and how many doubles they span. */
const SHAPES = {
  "blocks of 8 B": (count) => [vector(count, 1, 2, double), 2 * count],
  "blocks of 256 B": (count) => [vector(count / 32, 32, 64, double), 2 * count],
  "transpose of 64 columns": (count) => {
    const rows = count / COLUMNS;
    const places = Array.from({ length: count }, (_, i) => (i % rows) * COLUMNS + Math.floor(i / rows));
    return [indexedBlock(1, places, double), count];
  },
  dense: (count) => [contiguous(count, double), count],
};

const framed = world.dup({ pipeline: {} });
const CONTENDERS = { native: world, packed: world, chunked: framed, ipc: framed };

function halfRoundTripNs(comm, out, into, turns) {
  const start = performance.now();
  for (let turn = 0; turn < turns; turn++) {
    if (rank === 0) comm.send(out, other);
    comm.recv(into, other);
    if (rank !== 0) comm.send(out, other);
  }
  return ((performance.now() - start) / (2 * turns)) * 1e6;
}

/** As many as take about so long, the same on both ranks. */
function turnsOf(comm, out, into, ns) {
  const turns = Int32Array.of(Math.max(1, Math.ceil(ns / (2 * halfRoundTripNs(comm, out, into, 2)))));
  world.bcast(turns, 0);
  return turns[0];
}

function warmTurnsOf(comm, out, into) {
  halfRoundTripNs(comm, out, into, turnsOf(comm, out, into, WARM_UP_NS));
  return turnsOf(comm, out, into, SAMPLE_NS);
}

const rows = [];
for (const [shape, typeOf] of Object.entries(SHAPES)) {
  for (const bytes of SIZES) {
    if (shape.startsWith("transpose") && bytes > 2 ** 22) continue;
    const [datatype, length] = typeOf(bytes / 8);
    const sent = Float64Array.from({ length }, (_, i) => i + rank);
    const into = new Float64Array(length);
    const kept = new Float64Array(length).fill(-1);
    const entrants = [];
    for (const [name, comm] of Object.entries(CONTENDERS)) {
      const type = mpi.commit(datatype, { carrier: name });
      const elements = (buffer) => ({ buffer, datatype: type, count: 1 });
      if (comm.explain(elements(sent), other).carrier !== name) continue;
      const [out, back] = [elements(sent), elements(into)];
      into.set(kept);
      halfRoundTripNs(comm, out, back, 1);
      const packed = [sent, into].map((values) => {
        const bytesOf = new Uint8Array(bytes);
        type.committed.pack(values, bytesOf, { count: 1 });
        return new Float64Array(bytesOf.buffer);
      });
      if (packed[1].some((value, i) => value !== packed[0][i] - rank + other)) throw new Error(`${name}: wrong bytes`);
      if (into.filter((value) => value === -1).length !== length - bytes / 8) throw new Error(`${name}: gaps written`);
      entrants.push({ name, comm, out, back, turns: warmTurnsOf(comm, out, back), ns: [], type });
    }
    for (let sample = 0; sample < SAMPLES; sample++)
      for (const { comm, out, back, turns, ns } of entrants) {
        world.barrier();
        ns.push(halfRoundTripNs(comm, out, back, turns));
      }
    const medians = entrants.map(({ name: contender, ns }) => {
      const sorted = ns.sort((a, b) => a - b);
      return { contender, medianNs: Math.round(sorted[SAMPLES >> 1]), minNs: Math.round(sorted[0]) };
    });
    for (const { type } of entrants) type[Symbol.dispose]();
    rows.push(...medians.map((median) => ({ mpi: mpi.mpi.name, shape, bytes, ...median, verified: true })));
    const text = medians
      .map(
        ({ contender, medianNs, minNs }) =>
          `${contender} ${(medianNs / 1000).toFixed(1)} (${(minNs / 1000).toFixed(1)})`,
      )
      .join(", ");
    if (rank === 0) console.log(`${mpi.mpi.name}, ${shape}, ${bytes / 1024} KiB, us: ${text}`);
  }
}
if (options.json && rank === 0) {
  const file = fileURLToPath(new URL("../../../results/epyc/bridge-shared-memory.json", import.meta.url));
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).rows : [];
  const results = {
    schema: "stowage-bridge/1",
    command:
      "mpirun -n 2 node packages/mpi-bridge/bench/shared-memory.mjs --json, once with each MPI; Open MPI's with --bind-to none",
    date: new Date().toISOString(),
    commit: commitHash(),
    machine: { cpu: cpus()[0].model, cores: cpus().length, node: process.version },
    rows: [...kept.filter(({ mpi: name }) => name !== mpi.mpi.name), ...rows],
  };
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
}
world.barrier();
framed.free();
