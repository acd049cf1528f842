// Reductions over derived types: MPI_Pack, the MPI's reduction and MPI_Unpack by hand; ours with the MPI's reduction of
// what our engine packs; ours combined on arrival; and what { reductions: "auto" } chooses. In turns; a sample is the
// slowest rank's time; every result is compared with a serial loop's first.
// mpirun -n RANKS node packages/mpi-bridge/bench/reduce.mjs [--out FILE] [--samples N] [--warm-up N] [--size BYTES,...]
// [--only NAME,...]
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { heading, outputFolder, scriptCommand, writeResults } from "@stowage/bench";
import { contiguous, predefined, resized } from "@stowage/ir";
import { PackPlan } from "@stowage/mpi-abi";
import { IN_PLACE, openMpi } from "@stowage/mpi-bridge";
import { SCATTERED_DOUBLES } from "./scattered-doubles.mjs";

const { values: options } = parseArgs({
  options: {
    out: { type: "string" },
    samples: { type: "string", default: "15" },
    "warm-up": { type: "string", default: "20" },
    size: { type: "string", default: "16384,65536,262144,1048576,8388608" },
    only: { type: "string" },
  },
});
const mpi = openMpi();
const { world } = mpi;
const { rank, size } = world;
const double = predefined("MPI_DOUBLE");

/** Types whose doubles lie scattered in twice as many. */
const WORKLOADS = {
  ...SCATTERED_DOUBLES,
  dense: (doubles) => resized(0, 16 * doubles, contiguous(doubles, double)),
};
const REDUCTIONS = {
  reduce: (comm) => (from, into) => comm.reduce(from, rank === 0 ? into : undefined),
  allreduce: (comm) => (from, into) => comm.allreduce(from, into),
  "allreduce in place": (comm) => (_, into) => comm.allreduce(IN_PLACE, into),
};
const comms = {
  packed: world.dup(),
  arriving: world.dup({ reductions: "arriving" }),
  auto: world.dup({ reductions: "auto" }),
};

/** By the MPI alone. */
function byHand(name, datatype, input, result, packedBytes) {
  const type = mpi.commit(datatype);
  const [held, made] = [new Uint8Array(packedBytes), new Uint8Array(packedBytes)];
  const side = (view, packed) => ({
    datatype: type.native,
    count: 1,
    scattered: new Uint8Array(view.buffer),
    originBytes: 0,
    packed,
  });
  const inPlace = name === "allreduce in place";
  const packing = new PackPlan(mpi.mpi, side(inPlace ? result : input, held));
  const unpacking = new PackPlan(mpi.mpi, side(result, made));
  // Doubles side by side are one call of the MPI.
  const [from, into] = [held, made].map(({ buffer }) => new Float64Array(buffer));
  return () => {
    packing.pack();
    if (name === "reduce") world.reduce(from, rank === 0 ? into : undefined);
    else world.allreduce(from, into);
    if (name !== "reduce" || rank === 0) unpacking.unpack();
  };
}

function requireSum(what, name, got, placesOf) {
  if (name === "reduce" && rank !== 0) return;
  for (let i = 0; i < got.length; i++) {
    let expected = name === "allreduce in place" ? valueOf(rank, i) : -1;
    if (placesOf[i] === 1) {
      expected = 0;
      for (let r = 0; r < size; r++) expected += valueOf(r, i);
    }
    if (got[i] !== expected) throw new Error(`${what}: expected ${expected} at ${i}, got ${got[i]}`);
  }
}
const valueOf = (of, i) => ((i * 31 + of * 7) % 1021) / 8;

const slowest = (times) => {
  const all = new Float64Array(times.length);
  world.allreduce(Float64Array.from(times), all, { op: "max" });
  return [...all].sort((a, b) => a - b);
};

/** Runs of one contender after another in a sample, and samples until what they run through is compiled. */
const TURNS = 3;
const WARM_UP = Number(options["warm-up"]);

const rows = [];
function measure(workload, packedBytes, name) {
  const doubles = packedBytes / 8;
  const datatype = WORKLOADS[workload](doubles);
  const input = Float64Array.from({ length: 2 * doubles }, (_, i) => valueOf(rank, i));
  const before = name === "allreduce in place" ? input : new Float64Array(2 * doubles).fill(-1);
  const result = before.slice();
  const isPlaced = new Uint8Array(2 * doubles);
  const marks = new Float64Array(doubles).fill(1);
  const type = mpi.commit(datatype);
  const marked = new Float64Array(2 * doubles);
  type.committed.unpack(marks, marked, { count: 1 }).wait();
  marked.forEach((value, i) => (isPlaced[i] = value));
  const elements = (buffer) => ({ buffer, datatype: type, count: 1 });
  const ours = (comm) => () => REDUCTIONS[name](comm)(elements(input), elements(result));
  const contenders = {
    [`MPI_Pack, ${name === "reduce" ? "MPI_Reduce" : "MPI_Allreduce"}, MPI_Unpack`]: byHand(
      name,
      datatype,
      input,
      result,
      packedBytes,
    ),
    packed: ours(comms.packed),
    arriving: ours(comms.arriving),
    auto: ours(comms.auto),
  };
  const times = Object.fromEntries(Object.keys(contenders).map((each) => [each, []]));
  for (let sample = -WARM_UP; sample < Number(options.samples); sample++) {
    for (const [contender, run] of Object.entries(contenders)) {
      // The first run finds its memory in no cache: another contender's is there.
      for (let turn = 0; turn < TURNS; turn++) {
        result.set(before);
        world.barrier();
        const start = performance.now();
        run();
        const ns = (performance.now() - start) * 1e6;
        if (sample >= 0 && turn > 0) times[contender].push(ns);
        else if (sample === -1) requireSum(`${workload}, ${name}, ${contender}`, name, result, isPlaced);
      }
    }
  }
  for (const [contender, list] of Object.entries(times)) {
    const sorted = slowest(list);
    const row = { mpi: mpi.mpi.name, ranks: size, workload, reduction: name, packedBytes, contender };
    rows.push({
      ...row,
      medianNs: sorted[sorted.length >> 1],
      minNs: sorted[0],
      samples: sorted.length,
      verified: true,
    });
  }
  if (rank === 0) {
    const us = rows.slice(-4).map(({ contender, medianNs }) => `${contender} ${(medianNs / 1e3).toFixed(0)}`);
    console.log(
      `${mpi.mpi.name}, ${size} ranks, ${workload}, ${name}, ${packedBytes / 1024} KiB, us: ${us.join(", ")}`,
    );
  }
}

const only = options.only?.split(",");
for (const workload of Object.keys(WORKLOADS))
  for (const packedBytes of options.size.split(",").map(Number))
    for (const name of Object.keys(REDUCTIONS))
      if (only?.includes(workload) !== false) measure(workload, packedBytes, name);
if (options.out !== undefined && rank === 0) {
  outputFolder(dirname(options.out), "out");
  writeResults(options.out, { ...heading(`mpirun -n ${size} ${scriptCommand()}`), schema: "stowage-bridge/1" }, rows);
}
