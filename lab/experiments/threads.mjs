import { X64Backend } from "@stowage/backend-x64";
import { sampleInTurns, summarise } from "@stowage/bench";
import { denseLayout, forEachRun } from "@stowage/ir";
import { nearestPackedBytes, workloadNames } from "@stowage/workloads";
import { existsSync, readFileSync } from "node:fs";
import { arrayBytes, backendOn, DIRECTIONS, memcpyOn, moveOn, workloadOn } from "../parts/host.mjs";

// DDTBench, and the rows that plain C is compared on.
const EVERY =
  "^((WRF|MILC|NAS|LAMMPS|SPECFEM3D|FFT2)_?.*/\\d+|vector-(1of2|1of64|16of64)|lu-column|wrf-[xy]-rows|specfem-(mt|oc|cm)|su3-rows|milc-32|box4d-(bytes|doubles)|lammps-atoms|indexed-random|struct24|transpose|fft2-transpose)$";
const THREADS = 2;
const LINE_BYTES = 64;
const MOST_ARRAY_BYTES = 2 ** 30;
/** What two threads are to gain, where memory lets them. */
const WANTED = 1.5;
const SHORT = ["vector-1of2", "vector-16of64", "struct24", "indexed-random"];
const IN_KIB = [32, 64, 128, 256, 512, 1024, 2048, 4096];
const [ONE, TWO] = ["x64", `x64 (${THREADS} threads)`];

/** Bytes of the LLC, by Linux. */
function lastCacheBytes() {
  const sizes = [0, 1, 2, 3, 4]
    .map((index) => `/sys/devices/system/cpu/cpu0/cache/index${index}/size`)
    .filter(existsSync)
    .map((path) => parseInt(readFileSync(path, "utf8")) * 1024);
  return Math.max(0, ...sizes);
}

/** Bytes of lines on the scattered side, and whether two entries have a byte in common. */
function touchedBy({ layout, range, low, direction, source, target }) {
  const { length } = direction === "pack" ? source : target;
  const bits = new Uint8Array(length);
  const lines = new Uint8Array(Math.ceil(length / LINE_BYTES));
  let overlaps = false;
  forEachRun(layout, range, (offset, bytes) => {
    const [from, to] = [offset - low, offset - low + bytes];
    overlaps ||= bits.subarray(from, to).includes(1);
    bits.fill(1, from, to);
    lines.fill(1, Math.floor(from / LINE_BYTES), Math.floor((to - 1) / LINE_BYTES) + 1);
  });
  return { touchedBytes: LINE_BYTES * lines.reduce((sum, line) => sum + line, 0), overlaps };
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** One run each, a millisecond after the last, in turns. */
function afterPauses(entrants, rounds) {
  const samples = Object.fromEntries(Object.keys(entrants).map((who) => [who, []]));
  for (let i = 0; i < rounds; i++)
    for (const [who, entrant] of Object.entries(entrants)) {
      Atomics.wait(pause, 0, 0, 1);
      const start = process.hrtime.bigint();
      entrant.run();
      samples[who].push(Number(process.hrtime.bigint() - start));
    }
  return Object.fromEntries(Object.entries(samples).map(([who, all]) => [who, summarise(all)]));
}

export default {
  name: "threads",
  question: "What do two threads gain over one, from what size on, awake and asleep, and what does memory allow?",
  kind: "moves",
  options: {
    pattern: { kind: "text", says: "workloads whose names match", byDefault: EVERY },
    rounds: { kind: "number", says: "samples", byDefault: 15 },
    bytes: { kind: "number", says: "packed bytes of a workload, about", byDefault: 2 ** 24 },
  },
  trial: { pattern: "^vector-1of2$", rounds: 1, bytes: 2 ** 20 },
  *cells({ pattern, bytes }, lab) {
    const [cacheBytes, leftOut, limits] = [lastCacheBytes(), [], {}];
    lab.note({ lastCacheBytes: cacheBytes, memoryLimitsGBs: limits, leftOut });
    const ofThreads = (options) => ({ backend: new X64Backend(options) });
    // In the LLC in part, and past it: reads and writes of the best copy.
    for (const [limit, size] of Object.entries({ inCache: 2 ** 24, inMemory: lab.trial ? 2 ** 24 : 2 ** 26 }))
      yield { what: "limit", limit, limits, ...moveOn("copy of bytes", denseLayout(size), "pack"), ...ofThreads({}) };
    for (const name of lab.trial ? SHORT.slice(0, 1) : SHORT)
      for (const kib of lab.trial ? IN_KIB.slice(0, 1) : IN_KIB)
        yield { what: "short", ...workloadOn(name, kib * 1024, "pack"), ...ofThreads({ threadsFromBytes: 1 }) };
    for (const name of workloadNames().filter((each) => new RegExp(pattern).test(each))) {
      const size = nearestPackedBytes(name, bytes);
      if (size < bytes / 2 || arrayBytes(name, size) > MOST_ARRAY_BYTES) {
        leftOut.push(`${name}: ${size} bytes packed, in an array of ${arrayBytes(name, size)}`);
        continue;
      }
      for (const direction of DIRECTIONS) {
        const cell = workloadOn(name, size, direction);
        const { touchedBytes, overlaps } = touchedBy(cell);
        if (direction === "unpack" && overlaps)
          leftOut.push(`${name} unpacked: what overlapping entries leave is undefined`);
        else yield { what: "workload", ...cell, touchedBytes, cacheBytes, limits, ...ofThreads({}) };
      }
    }
  },
  contenders(cell) {
    const on = (threads) => backendOn(cell, cell.backend, { threads });
    const both = { [ONE]: on(1), [TWO]: on(THREADS) };
    const closed = {
      ...both[TWO],
      [Symbol.dispose]: () => (both[TWO][Symbol.dispose](), cell.backend[Symbol.dispose]()),
    };
    return { ...both, [TWO]: closed, ...(cell.what === "limit" ? { memcpy: memcpyOn(cell) } : {}) };
  },
  run(entrants, cell, { rounds }) {
    for (const entrant of Object.values(entrants)) entrant.check?.();
    const sampleUs = cell.what === "short" ? 500 : 4000;
    const calls = Object.values(entrants).map((entrant) => () => void entrant.run());
    const times = sampleInTurns(calls, { budgetMs: 0, rounds, sampleUs, warmUpMs: 2 });
    const measured = Object.fromEntries(Object.keys(entrants).map((who, i) => [who, { ...times[i], verified: true }]));
    const { packedBytes } = cell.label;
    if (cell.what === "limit") cell.limits[cell.limit] = 2 * Math.max(...times.map(({ minNs }) => packedBytes / minNs));
    if (cell.what === "short") {
      const asleep = afterPauses(entrants, rounds);
      Object.assign(measured[TWO], {
        asleepMedianNs: asleep[TWO].medianNs,
        oneThreadAfterPauseMedianNs: asleep[ONE].medianNs,
      });
    }
    if (cell.what === "workload") Object.assign(measured[TWO], roomOf(cell, measured[ONE].minNs));
    return measured;
  },
};

/** What memory allows two threads; at its limit it would have to be faster than it is for the gain that is wanted. */
function roomOf({ label, direction, touchedBytes, cacheBytes, limits }, minNs) {
  // What is written is read first, except by non-temporal stores of a pack.
  const trafficBytes = direction === "pack" ? touchedBytes + label.packedBytes : label.packedBytes + 2 * touchedBytes;
  const limit = touchedBytes + label.packedBytes > cacheBytes ? limits.inMemory : limits.inCache;
  const memoryAllows = limit / (trafficBytes / minNs);
  return { memoryAllows, atMemoryLimitWithOneThread: memoryAllows < WANTED };
}
