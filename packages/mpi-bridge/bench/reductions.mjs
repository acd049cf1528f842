// Sums of doubles into scattered elements: unpacks with MPI_SUM beside a pack, a loop (of JavaScript, or
// MPI_Reduce_local) and an unpack, and beside the unpack that only overwrites. Every contender's result is compared
// with a plain loop's before it is timed.
// node packages/mpi-bridge/bench/reductions.mjs [--out FILE] [--budget MS] [--device cuda|simulated] [--size BYTES,...]
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { conditions, hostMemory, reduceMove, packMove, unpackMove } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { X64Backend } from "@stowage/backend-x64";
import { heading, outputFolder, sampleInTurns, scriptCommand, writeResults } from "@stowage/bench";
import { copyBytes, openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { canonicalise, contiguous, forEachRun, lower, predefined } from "@stowage/ir";
import { finalise, initialise, loadMpi, predefinedHandle } from "@stowage/mpi-abi";
import { addressOf } from "../dist/native/words.js";
import { Context } from "../dist/world/context.js";
import { SCATTERED_DOUBLES } from "./scattered-doubles.mjs";

const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: "results/reductions.json" },
    budget: { type: "string", default: "200" },
    device: { type: "string" },
    size: { type: "string", default: "4096,32768,1048576,16777216" },
  },
});
const SUM = { op: "MPI_SUM", element: "float64" };
const DOUBLE = predefined("MPI_DOUBLE");
const rows = [];

const WORKLOADS = {
  dense: (doubles) => contiguous(doubles, DOUBLE),
  ...SCATTERED_DOUBLES,
};

function filled(length, seed) {
  return Float64Array.from({ length }, (_, i) => ((i * 31 + seed) % 1021) / 8);
}

/** What a plain loop makes of the target, by one reduction or one unpack. */
function expectedOf(layout, packed, there, isReduced) {
  const expected = there.slice();
  let next = 0;
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offsetBytes, lengthBytes) => {
    for (let at = offsetBytes / 8; at < (offsetBytes + lengthBytes) / 8; at++)
      expected[at] = isReduced ? expected[at] + packed[next++] : packed[next++];
  });
  return expected;
}

const planOf = (backend, move, source, target, given = conditions()) => {
  const kernel = backend.load(backend.compile([move], given));
  const side = (memory) => ({ memory, originBytes: 0 });
  const whole = { count: 1, first: 0, length: move.source.sizeBytes };
  return kernel.bind([{ source: side(source), target: side(target), ...whole }]);
};

/** { name: { run, isReduced } } on the host. */
function hostContenders(layout, packed, there, context) {
  const [x64, cpu] = [new X64Backend(), new CpuBackend()];
  const held = new Float64Array(packed.length);
  const memory = (view) => hostMemory(new Uint8Array(view.buffer));
  const reduce = (backend) => planOf(backend, reduceMove(layout, SUM), memory(packed), memory(there));
  const plans = {
    pack: planOf(x64, packMove(layout), memory(there), memory(held)),
    unpackHeld: planOf(x64, unpackMove(layout), memory(held), memory(there)),
    unpack: planOf(x64, unpackMove(layout), memory(packed), memory(there)),
    x64: reduce(x64),
    cpu: reduce(cpu),
  };
  const { native } = context;
  const [handle, sum] = [predefinedHandle(native.mpi, "MPI_DOUBLE"), native.constants.reductions.sum];
  const by = (combine) => () => {
    plans.pack.run();
    combine();
    plans.unpackHeld.run();
  };
  const loop = () => {
    for (let i = 0; i < held.length; i++) held[i] += packed[i];
  };
  const reduceLocal = () => {
    native.call("MPI_Reduce_local", addressOf(packed), addressOf(held), held.length, handle, sum);
  };
  return {
    "x64, op": { run: () => plans.x64.run(), isReduced: true },
    "cpu, op": { run: () => plans.cpu.run(), isReduced: true },
    "x64 pack, loop, unpack": { run: by(loop), isReduced: true },
    [`x64 pack, MPI_Reduce_local (${native.mpi.family}), unpack`]: { run: by(reduceLocal), isReduced: true },
    "x64, unpack alone": { run: () => plans.unpack.run(), isReduced: false },
  };
}

function requireEqual(name, got, expected) {
  const wrong = got.findIndex((value, i) => value !== expected[i]);
  if (wrong !== -1) throw new Error(`${name}: expected ${expected[wrong]} at ${wrong}, got ${got[wrong]}`);
}

function record(workload, packedBytes, route, contenders) {
  const names = Object.keys(contenders);
  const times = sampleInTurns(
    names.map((name) => contenders[name].run),
    { budgetMs: Number(options.budget), sampleUs: 200 },
  );
  names.forEach((contender, i) => {
    const row = { workload, count: 1, packedBytes, direction: "unpack", route, contender };
    rows.push({ ...row, ...times[i], verified: true, commitNs: 0 });
    console.log(`${workload} ${packedBytes} ${contender}: ${(times[i].medianNs / 1e3).toFixed(2)} us`);
  });
}

function measureOnHost(name, doubles, context) {
  const layout = canonicalise(lower(WORKLOADS[name](doubles)));
  const packed = filled(doubles, 3);
  const there = filled(2 * doubles, 17);
  const before = there.slice();
  const contenders = hostContenders(layout, packed, there, context);
  for (const [contender, { run, isReduced }] of Object.entries(contenders)) {
    there.set(before);
    run();
    requireEqual(`${name}, ${contender}`, there, expectedOf(layout, packed, before, isReduced));
  }
  record(name, 8 * doubles, "host", contenders);
}

function measureOnDevice(name, doubles, driver) {
  const layout = canonicalise(lower(WORKLOADS[name](doubles)));
  const device = driver.context();
  const stream = device.stream();
  const [packed, before] = [filled(doubles, 3), filled(2 * doubles, 17)];
  const [source, target] = [packed, before].map(({ byteLength }) => device.deviceMemory(byteLength));
  const address = (view) => device.libcuda.addressOf(new Uint8Array(view.buffer));
  const upload = (memory, view) => {
    copyBytes(device, memory.address, address(view), view.byteLength).run(stream);
    stream.synchronize();
  };
  upload(source, packed);
  const given = conditions({ sourceKind: "device", targetKind: "device", count: 1 });
  const backend = new CudaGenericBackend({ driver });
  const specialised = new CudaGenericBackend({ driver, tuning: { tier: "specialised" } });
  const contender = (of, move, isReduced) => {
    const plan = planOf(of, move, source, target, given);
    return { run: () => plan.run(stream).wait(), isReduced };
  };
  const contenders = {
    "cuda-generic, op": contender(backend, reduceMove(layout, SUM), true),
    "cuda-generic/specialised, op": contender(specialised, reduceMove(layout, SUM), true),
    "cuda-generic, unpack alone": contender(backend, unpackMove(layout), false),
  };
  for (const [which, { run, isReduced }] of Object.entries(contenders)) {
    upload(target, before);
    run();
    const got = new Float64Array(before.length);
    copyBytes(device, address(got), target.address, got.byteLength).run(stream);
    stream.synchronize();
    requireEqual(`${name}, ${which}`, got, expectedOf(layout, packed, before, isReduced));
  }
  record(name, 8 * doubles, "device", contenders);
}

const sizes = options.size.split(",").map((bytes) => Number(bytes) / 8);
const pairs = Object.keys(WORKLOADS).flatMap((name) => sizes.map((doubles) => [name, doubles]));
if (options.device === undefined) {
  const mpi = loadMpi();
  initialise(mpi);
  const context = new Context(mpi, () => undefined, {});
  for (const [name, doubles] of pairs) measureOnHost(name, doubles, context);
  finalise(mpi);
} else {
  const driver = options.device === "cuda" ? openCuda() : openSimulatedCuda();
  for (const [name, doubles] of pairs) measureOnDevice(name, doubles, driver);
}
outputFolder(dirname(options.out), "out");
writeResults(options.out, heading(scriptCommand()), rows);
