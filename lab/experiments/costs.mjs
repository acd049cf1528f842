import { conditions, packMove } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { X64Backend } from "@stowage/backend-x64";
import { sampleInTurns, summarise } from "@stowage/bench";
import { canonicalise, dense, denseLayout, integerTable, layout, lower, stream, uniformBlocks } from "@stowage/ir";
import { workload, workloadNames } from "@stowage/workloads";
import { collected } from "../parts/heap.mjs";
import { backendOn, moveOn, workloadOn } from "../parts/host.mjs";

const FRAGMENT_BYTES = 65536;
const ofExtent = (root, extentBytes) => layout(0, root, { lowerBoundBytes: 0, extentBytes });
const LISTED = (blocks) => integerTable(blocks, (i) => ((i * 7919) % blocks) * 24);
/** Each also as fragments of 64 KiB, which ranks of an MPI ask for. */
const CUT = ["vector-1of2", "vector-16of64", "struct24", "indexed-random", "transpose", "specfem-oc", "box4d-doubles"];
const STRUCT24_BYTES = 17 * 61681;

function timedNs(run) {
  const start = process.hrtime.bigint();
  const made = run();
  return [Number(process.hrtime.bigint() - start), made];
}

/** Medians of loading a move's code, and of letting go of it. */
function commitsOf(backend, move, times) {
  const samples = Array.from({ length: times }, () => {
    const [commitNs, kernel] = timedNs(() => backend.load(backend.compile([move], conditions())));
    const [freeNs] = timedNs(() => kernel[Symbol.dispose]());
    return { commitNs, freeNs };
  });
  const of = (name) => summarise(samples.map((sample) => sample[name]));
  return { commit: of("commitNs"), freeNs: of("freeNs").medianNs };
}

const timesOf = (entrants, rounds, sampleUs) => {
  for (const entrant of Object.values(entrants)) entrant.check?.();
  const calls = Object.values(entrants).map((entrant) => () => void entrant.run());
  const times = sampleInTurns(calls, { budgetMs: 0, rounds, sampleUs, warmUpMs: 2 });
  return Object.fromEntries(Object.keys(entrants).map((who, i) => [who, { ...times[i], verified: true }]));
};

/** What each part of the question is of. */
const PARTS = {
  /** Twice: V8 optimises the call only when its own thread gets to it. */
  call({ x64 }, _, { rounds, calls }) {
    const [, times] = [1, 2].map(() => timesOf({ x64 }, rounds, 1000));
    for (let i = 0; i < calls / 10; i++) x64.run();
    const before = collected().heapUsed;
    for (let i = 0; i < calls; i++) x64.run();
    return { x64: { ...times.x64, heapBytes: process.memoryUsage().heapUsed - before, heapCalls: calls } };
  },
  commits(_, { move, times }) {
    const { commit } = commitsOf(new X64Backend(), move, times);
    return { x64: { ...commit, commitNs: commit.medianNs } };
  },
  /** Figures 9 and 17 of the DAME paper. */
  repaid(entrants, { label, move, backends }, { rounds }) {
    const creates = Array.from(
      { length: 7 },
      () => timedNs(() => canonicalise(lower(workload(label.workload).datatype)))[0],
    );
    const costs = Object.fromEntries(Object.entries(backends).map(([who, each]) => [who, commitsOf(each, move, 25)]));
    const times = timesOf(entrants, Math.min(rounds, 7), 50);
    const gainNs = times.cpu.medianNs - times.x64.medianNs;
    const extraNs = costs.x64.commit.medianNs - costs.cpu.commit.medianNs;
    const reusesThatRepay = gainNs > 0 ? Math.max(0, Math.ceil(extraNs / gainNs)) : "never";
    return Object.fromEntries(
      Object.entries(times).map(([who, found]) => {
        const own = { commitNs: costs[who].commit.medianNs, freeNs: costs[who].freeNs };
        const created = { createNs: summarise(creates).medianNs };
        return [who, { ...found, ...own, ...created, ...(who === "x64" ? { reusesThatRepay } : {}) }];
      }),
    );
  },
  fragments: (entrants, _, { rounds }) => timesOf(entrants, rounds, 500),
};

export default {
  name: "costs",
  question: "What does a plan cost apart from moving: calls, commits by kind of type, what repays them, fragments?",
  kind: "moves",
  options: {
    rounds: { kind: "number", says: "samples", byDefault: 25 },
    calls: { kind: "number", says: "whose allocations are counted", byDefault: 1_000_000 },
    pattern: { kind: "text", says: "DDTBench's types whose names match", byDefault: "." },
  },
  trial: { rounds: 1, calls: 1000, pattern: "^FFT2" },
  *cells({ pattern }, lab) {
    const backends = { x64: new X64Backend(), cpu: new CpuBackend() };
    const few = (times) => (lab.trial ? 2 : times);
    yield { part: "call", ...moveOn("call of 8 bytes", ofExtent(dense(8), 16), "pack"), backends };
    const regular = ofExtent(stream(128, 512, dense(8)), 65536);
    yield { part: "commits", ...moveOn("128 doubles of pitch 512", regular, "pack"), times: few(4000) };
    const blocks = lab.trial ? 1000 : 1e6;
    const list = ofExtent(uniformBlocks(LISTED(blocks), dense(16)), 24 * blocks);
    yield { part: "commits", ...moveOn(`${blocks} displacements`, list, "pack"), times: few(15) };
    // A program that commits one type commits others: both compilers are warm before they are timed.
    const names = workloadNames("ddtbench").filter((name) => new RegExp(pattern).test(name));
    const cells = names.map((name) => ({ part: "repaid", ...workloadOn(name, undefined, "pack"), backends }));
    for (const { move } of cells) for (const backend of Object.values(backends)) commitsOf(backend, move, 3);
    yield* cells;
    for (const name of lab.trial ? CUT.slice(0, 1) : CUT)
      yield {
        part: "fragments",
        ...workloadOn(name, name === "struct24" ? STRUCT24_BYTES : 2 ** 20, "pack"),
        backends,
      };
    // What plain copies lose is what no layout's code can gain.
    yield { part: "fragments", ...moveOn("contiguous bytes", denseLayout(2 ** 20), "pack"), backends };
  },
  contenders(cell) {
    if (cell.part === "commits") return {};
    const x64 = backendOn(cell, cell.backends.x64);
    if (cell.part === "call") return { x64 };
    if (cell.part === "repaid") return { x64, cpu: backendOn(cell, cell.backends.cpu) };
    const kernel = cell.backends.x64.load(cell.backends.x64.compile([cell.move], conditions()));
    const { length } = cell.binding;
    const plans = Array.from({ length: Math.ceil(length / FRAGMENT_BYTES) }, (_, i) => {
      const first = i * FRAGMENT_BYTES;
      return kernel.bind([{ ...cell.binding, first, length: Math.min(FRAGMENT_BYTES, length - first) }]);
    });
    const run = () => plans.forEach((plan) => plan.run());
    return { x64, [`x64 in fragments of ${FRAGMENT_BYTES}`]: { run, check: () => cell.check("fragments", run) } };
  },
  run: (entrants, cell, given) => PARTS[cell.part](entrants, cell, given),
};
