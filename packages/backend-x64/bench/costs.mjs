// What a plan costs apart from moving: node --expose-gc packages/backend-x64/bench/costs.mjs FILE
// Calls at 8 bytes and their allocations; commits of a regular type and of 10^6 displacements; every DDTBench type's
// create, commit and free (Figure 9 of the DAME paper), and the runs that repay its compile against the interpreter
// (Figure 17); 64 KiB fragments against one call.
import { conditions, hostMemory, packMove } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { canonicalise, dense, denseLayout, integerTable, layout, lower, stream, uniformBlocks } from "@stowage/ir";
import { workload, workloadNames } from "@stowage/workloads";
import { X64Backend } from "../dist/index.js";
import { measure, median } from "./measure.mjs";
import { writeResults } from "./results.mjs";

const x64 = new X64Backend();
const cpu = new CpuBackend();
const any = conditions();
const rows = [];
const timeOf = (body) => {
  const start = process.hrtime.bigint();
  const value = body();
  return [Number(process.hrtime.bigint() - start), value];
};
const row = (name, packedBytes, contender, medianNs, runs, more = {}) =>
  rows.push({
    workload: name,
    count: 1,
    packedBytes,
    direction: "pack",
    route: "host",
    contender,
    medianNs,
    runs,
    verified: true,
    ...more,
  });

function bound(backend, type, count = 1) {
  const reach = Math.abs(type.extentBytes) * (count - 1) + type.trueExtentBytes;
  const low = Math.min(0, type.trueLowerBoundBytes);
  const source = hostMemory(new Uint8Array(reach - low + Math.max(0, type.trueLowerBoundBytes)));
  const target = hostMemory(new Uint8Array(type.sizeBytes * count));
  const kernel = backend.load(backend.compile([packMove(type)], any));
  const binding = {
    source: { memory: source, originBytes: -low },
    target: { memory: target, originBytes: 0 },
    count,
    first: 0,
    length: type.sizeBytes * count,
  };
  return { plan: kernel.bind([binding]), kernel, binding };
}

const eight = layout(0, dense(8), { lowerBoundBytes: 0, extentBytes: 16 });
{
  const { plan } = bound(x64, eight);
  // Twice: the first rounds of a process are V8's, which optimises the call only when its own thread gets to it.
  const [, { call }] = [1, 2].map(() => measure({ call: plan }, { rounds: 31, sampleNs: 1_000_000 }));
  for (let i = 0; i < 1e5; i++) plan.run();
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 1e6; i++) plan.run();
  const allocatedBytes = process.memoryUsage().heapUsed - before;
  rows.push({
    workload: "call of 8 bytes",
    count: 1,
    packedBytes: 8,
    direction: "pack",
    route: "host",
    contender: "x64",
    ...call,
    verified: true,
    heapBytesIn1e6Calls: allocatedBytes,
  });
  console.log(
    `call at 8 bytes: median ${call.medianNs.toFixed(1)} ns, least ${call.minNs.toFixed(1)} ns; heap over 10^6 calls: ${allocatedBytes} bytes`,
  );
}

function commits(name, type, times) {
  const taken = [];
  for (let i = 0; i < times; i++) {
    const [ns, kernel] = timeOf(() => x64.load(x64.compile([packMove(type)], any)));
    taken.push(ns);
    kernel[Symbol.dispose]();
  }
  row(name, type.sizeBytes, "x64", median(taken), times, {
    minNs: Math.min(...taken),
    maxNs: Math.max(...taken),
    commitNs: median(taken),
  });
  console.log(
    `commit of ${name}: median ${(median(taken) / 1e3).toFixed(1)} us, least ${(Math.min(...taken) / 1e3).toFixed(1)} us`,
  );
}
const regular = layout(0, stream(128, 512, dense(8)), { lowerBoundBytes: 0, extentBytes: 65536 });
commits("128 doubles of pitch 512", regular, 4000);
commits(
  "10^6 displacements",
  layout(
    0,
    uniformBlocks(
      integerTable(1e6, (i) => ((i * 7919) % 1e6) * 24),
      dense(16),
    ),
    { lowerBoundBytes: 0, extentBytes: 24e6 },
  ),
  15,
);

// A program that commits one type commits others: both compilers are warm before they are timed.
for (const name of workloadNames("ddtbench")) {
  const type = canonicalise(lower(workload(name).datatype));
  for (const backend of [x64, cpu])
    for (let i = 0; i < 3; i++) backend.load(backend.compile([packMove(type)], any))[Symbol.dispose]();
}

const repaid = [];
for (const name of workloadNames("ddtbench")) {
  const { datatype, count, packedBytes } = workload(name);
  const creates = [];
  for (let i = 0; i < 7; i++) creates.push(timeOf(() => canonicalise(lower(workload(name).datatype)))[0]);
  const type = canonicalise(lower(datatype));
  const cost = (backend) => {
    const [commit, free] = [[], []];
    for (let i = 0; i < 25; i++) {
      const [ns, kernel] = timeOf(() => backend.load(backend.compile([packMove(type)], any)));
      commit.push(ns);
      free.push(timeOf(() => kernel[Symbol.dispose]())[0]);
    }
    return { commitNs: median(commit), freeNs: median(free) };
  };
  const costs = { x64: cost(x64), cpu: cost(cpu) };
  const times = measure(
    { x64: bound(x64, type, count).plan, cpu: bound(cpu, type, count).plan },
    { rounds: 7, sampleNs: 50_000 },
  );
  const extra = costs.x64.commitNs - costs.cpu.commitNs;
  const reuses =
    times.cpu.medianNs > times.x64.medianNs
      ? Math.max(0, Math.ceil(extra / (times.cpu.medianNs - times.x64.medianNs)))
      : Infinity;
  repaid.push(reuses);
  for (const who of ["x64", "cpu"]) {
    rows.push({
      workload: name,
      count,
      packedBytes,
      direction: "pack",
      route: "host",
      contender: who,
      ...times[who],
      verified: true,
      ...costs[who],
      createNs: median(creates),
      ...(who === "x64" ? { reusesThatRepay: Number.isFinite(reuses) ? reuses : "never" } : {}),
    });
  }
  console.log(
    `${name.padEnd(20)} create ${(median(creates) / 1e3).toFixed(0).padStart(6)} us, commit x64 ${(costs.x64.commitNs / 1e3).toFixed(0).padStart(5)} cpu ${(costs.cpu.commitNs / 1e3).toFixed(0).padStart(5)} us, free ${(costs.x64.freeNs / 1e3).toFixed(1)} us, run ${(times.x64.medianNs / 1e3).toFixed(2)} / ${(times.cpu.medianNs / 1e3).toFixed(2)} us: repaid after ${reuses}`,
  );
}
console.log(`runs that repay the compile: median ${median(repaid)}`);

/** A plan a fragment, and one that moves all: the fragments' loss. */
function fragments(name, type, count, fragmentBytes) {
  const packedBytes = type.sizeBytes * count;
  const whole = bound(x64, type, count);
  const plans = [];
  for (let first = 0; first < packedBytes; first += fragmentBytes) {
    plans.push(whole.kernel.bind([{ ...whole.binding, first, length: Math.min(fragmentBytes, packedBytes - first) }]));
  }
  const cut = { run: () => plans.forEach((plan) => plan.run()) };
  const times = measure({ whole: whole.plan, fragments: cut }, { rounds: 25, sampleNs: 500_000 });
  row(name, packedBytes, "x64", times.whole.medianNs, times.whole.runs, {
    minNs: times.whole.minNs,
    maxNs: times.whole.maxNs,
  });
  row(name, packedBytes, `x64 in fragments of ${fragmentBytes}`, times.fragments.medianNs, times.fragments.runs, {
    minNs: times.fragments.minNs,
    maxNs: times.fragments.maxNs,
  });
  console.log(
    `${name}: 64 KiB fragments lose ${((times.fragments.minNs / times.whole.minNs - 1) * 100).toFixed(1)} % (of minima), ${((times.fragments.medianNs / times.whole.medianNs - 1) * 100).toFixed(1)} % (of medians)`,
  );
}
for (const [name, bytes] of [
  ["vector-1of2", 1 << 20],
  ["vector-16of64", 1 << 20],
  ["struct24", 17 * 61681],
  ["indexed-random", 1 << 20],
  ["transpose", 1 << 20],
  ["specfem-oc", 1 << 20],
  ["box4d-doubles", 1 << 20],
]) {
  const { datatype, count } = workload(name, { packedBytes: bytes });
  fragments(name, canonicalise(lower(datatype)), count, 65536);
}
// What plain copies lose is what no layout's code can gain.
fragments("contiguous bytes", denseLayout(1 << 20), 1, 65536);

writeResults(process.argv[2] ?? "results/epyc/costs.json", rows);
