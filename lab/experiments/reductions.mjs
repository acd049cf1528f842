import { conditions, hostMemory, packMove, reduceMove, unpackMove } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { X64Backend } from "@stowage/backend-x64";
import { addressOf, NativeCall } from "@stowage/bench/peers";
import { canonicalise, contiguous, forEachRun, lower, predefined } from "@stowage/ir";
import { finalise, initialise, loadMpi, predefinedHandle } from "@stowage/mpi-abi";
import { bytesOn } from "../parts/device-bytes.mjs";
import { driverOf, onGpu } from "../parts/device.mjs";
import { SCATTERED_DOUBLES } from "../parts/scattered-doubles.mjs";

const SUM = { op: "MPI_SUM", element: "float64" };
const WORKLOADS = { dense: (doubles) => contiguous(doubles, predefined("MPI_DOUBLE")), ...SCATTERED_DOUBLES };

const filled = (length, seed) => Float64Array.from({ length }, (_, i) => ((i * 31 + seed) % 1021) / 8);

/** What a plain loop makes of the target, by one reduction or one unpack. */
function expectedOf({ layout, packed, before }, reduces) {
  const expected = before.slice();
  let next = 0;
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offsetBytes, lengthBytes) => {
    for (let at = offsetBytes / 8; at < (offsetBytes + lengthBytes) / 8; at++)
      expected[at] = reduces ? expected[at] + packed[next++] : packed[next++];
  });
  return expected;
}

const planOf = (backend, move, source, target, given = conditions()) => {
  const kernel = backend.load(backend.compile([move], given));
  const side = (memory) => ({ memory, originBytes: 0 });
  return kernel.bind([
    { source: side(source), target: side(target), count: 1, first: 0, length: move.source.sizeBytes },
  ]);
};

/** `restore` puts the target back, `target` gives what it holds. */
const entrantOf = (cell, who, run, { restore, target }, reduces = true) => ({
  run,
  check() {
    restore();
    run();
    const [got, expected] = [target(), expectedOf(cell, reduces)];
    const at = got.findIndex((value, i) => value !== expected[i]);
    if (at >= 0) throw new Error(`${who}: expected ${expected[at]} at ${at}, got ${got[at]}`);
  },
});

/** Our plans, and a pack, a loop of JavaScript or the MPI's, and an unpack. */
function hostContenders(cell) {
  const { layout, packed, before, mpi } = cell;
  const [x64, cpu] = [new X64Backend(), new CpuBackend()];
  const [there, held] = [before.slice(), new Float64Array(packed.length)];
  const memory = ({ buffer }) => hostMemory(new Uint8Array(buffer));
  const reduce = (backend) => planOf(backend, reduceMove(layout, SUM), memory(packed), memory(there));
  const pack = planOf(x64, packMove(layout), memory(there), memory(held));
  const unpack = (from) => planOf(x64, unpackMove(layout), memory(from), memory(there));
  const [reduced, walked, unpackHeld, unpacked] = [reduce(x64), reduce(cpu), unpack(held), unpack(packed)];
  const words = [addressOf(packed), addressOf(held), held.length, predefinedHandle(mpi, "MPI_DOUBLE")];
  const local = new NativeCall(
    mpi.addressOf("MPI_Reduce_local"),
    [...words, mpi.constants.communication.reductions.sum],
    [packed, held],
  );
  const by = (combine) => () => {
    pack.run();
    combine();
    unpackHeld.run();
  };
  const loop = () => {
    for (let i = 0; i < held.length; i++) held[i] += packed[i];
  };
  const side = { restore: () => there.set(before), target: () => there };
  const ways = {
    "x64, op": () => reduced.run(),
    "cpu, op": () => walked.run(),
    "x64 pack, loop, unpack": by(loop),
    [`x64 pack, MPI_Reduce_local (${mpi.family}), unpack`]: by(() => local.run()),
    "x64, unpack alone": () => unpacked.run(),
  };
  return Object.fromEntries(
    Object.entries(ways).map(([who, run]) => [who, entrantOf(cell, who, run, side, who !== "x64, unpack alone")]),
  );
}

function deviceContenders(cell) {
  const { layout, packed, before, gpu, driver } = cell;
  const [source, there] = [packed, before].map(({ byteLength }) => gpu.context.deviceMemory(byteLength));
  gpu.write(source, new Uint8Array(packed.buffer));
  const side = {
    restore: () => gpu.write(there, new Uint8Array(before.buffer)),
    target: () => new Float64Array(bytesOn(gpu, there).buffer),
  };
  const given = conditions({ sourceKind: "device", targetKind: "device", count: 1 });
  const generic = new CudaGenericBackend({ driver });
  const specialised = new CudaGenericBackend({ driver, tuning: { tier: "specialised" } });
  const by = (who, backend, move, reduces) => {
    const plan = planOf(backend, move, source, there, given);
    return [who, entrantOf(cell, who, () => plan.run(gpu.stream).wait(), side, reduces)];
  };
  const entrants = [
    by("cuda-generic, op", generic, reduceMove(layout, SUM), true),
    by("cuda-generic/specialised, op", specialised, reduceMove(layout, SUM), true),
    by("cuda-generic, unpack alone", generic, unpackMove(layout), false),
  ];
  // The last one lets go of the memory.
  entrants.at(-1)[1][Symbol.dispose] = () => [source, there].forEach((memory) => memory[Symbol.dispose]());
  return Object.fromEntries(entrants);
}

function* cellsOf({ size }, route, more) {
  for (const [workload, typeOf] of Object.entries(WORKLOADS))
    for (const packedBytes of size) {
      const doubles = packedBytes / 8;
      const layout = canonicalise(lower(typeOf(doubles)));
      const label = { workload, count: 1, packedBytes, direction: "unpack", route };
      yield { label, layout, packed: filled(doubles, 3), before: filled(2 * doubles, 17), ...more };
    }
}

export default {
  name: "reductions",
  question: "What do sums into scattered doubles cost, beside a pack, a loop and an unpack, and an unpack alone?",
  kind: "moves",
  options: {
    budget: { kind: "number", says: "milliseconds of each", byDefault: 200 },
    device: { kind: "text", of: ["cuda", "simulated"], says: "in the memory of a GPU" },
    size: { kind: "bytes", says: "packed bytes, several", byDefault: [12, 15, 20, 24].map((power) => 2 ** power) },
  },
  trial: { size: [4096] },
  sampling: ({ budget }) => ({ budgetMs: budget, sampleUs: 200 }),
  *cells(given, lab) {
    if (given.device !== undefined) {
      const driver = driverOf({ simulated: given.device === "simulated" });
      yield* onGpu(given, lab, (gpu) => cellsOf(given, "device", { gpu, driver }), driver);
      return;
    }
    const mpi = loadMpi();
    initialise(mpi);
    try {
      yield* cellsOf(given, "host", { mpi });
    } finally {
      finalise(mpi);
    }
  },
  contenders: (cell) => (cell.mpi === undefined ? deviceContenders(cell) : hostContenders(cell)),
};
