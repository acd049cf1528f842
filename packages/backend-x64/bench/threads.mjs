// One thread against two: node packages/backend-x64/bench/threads.mjs [PATTERN [FILE [ROUNDS [PACKED_BYTES]]]]
// First the memory limits: memcpy, and our own copy of bytes, on one and on both threads of the same pool, 16 MiB and
// 64 MiB (in the LLC in part, and past it). Then launches of 32 KiB to 4 MiB
// on threads that spin and on threads that sleep: from what size on they pay. Then every workload that matches, packed
// and unpacked; what each could gain at most before memory stops it stands beside what it gained.
import { conditions, hostMemory, packMove, unpackMove } from "@stowage/backend-api";
import { callRecord } from "@stowage/host-plans";
import { canonicalise, forEachRun, lower } from "@stowage/ir";
import { nearestPackedBytes, workload, workloadNames } from "@stowage/workloads";
import koffi from "koffi";
import { existsSync, readFileSync } from "node:fs";
import { X64Backend } from "../dist/index.js";
import { probeMachine } from "../dist/memory/machine.js";
import { sliceTable } from "../dist/threads/slice-table.js";
import { ThreadPool } from "../dist/threads/thread-pool.js";
import { arrayBytes, lineAligned } from "./cell.mjs";
import { measure } from "./measure.mjs";
import { summarise, writeResults } from "./results.mjs";

// DDTBench, and the rows that plain C is compared on.
const EVERY =
  "^((WRF|MILC|NAS|LAMMPS|SPECFEM3D|FFT2)_?.*/\\d+|vector-(1of2|1of64|16of64)|lu-column|wrf-[xy]-rows|specfem-(mt|oc|cm)|su3-rows|milc-32|box4d-(bytes|doubles)|lammps-atoms|indexed-random|struct24|transpose|fft2-transpose)$";
const [
  ,
  ,
  pattern = EVERY,
  file = "results/epyc/threads.json",
  roundsText = "15",
  sizeText = String(16 * 1024 * 1024),
] = process.argv;
const rounds = Number(roundsText);
const THREADS = 2;
const LINE_BYTES = 64;
const MOST_ARRAY_BYTES = 1024 * 1024 * 1024;
/** What two threads are to gain, where memory lets them. */
const WANTED = 1.5;
const names = ["1 thread", `${THREADS} threads`];
const contender = (threads) => (threads === 1 ? "x64" : `x64 (${threads} threads)`);
const rows = [];

/** GB/s of a copy of `bytes`, the better of one thread and two; `record(from, to, length)` launches it. */
function copyRate(who, record, bytes) {
  const { machine } = probeMachine();
  const [source, target] = [lineAligned(bytes).fill(1), lineAligned(bytes)];
  const [from, to] = [source, target].map((view) => Number(koffi.address(view)));
  const slices = (count) =>
    Array.from({ length: count }, (_, i) => [
      record(from + (i * bytes) / count, to + (i * bytes) / count, bytes / count),
    ]);
  const [shared, [whole]] = [sliceTable(slices(4 * THREADS)), slices(1)[0]];
  const pool = new ThreadPool(THREADS - 1, machine.poolCode());
  const plans = {
    [names[0]]: { run: () => callRecord(machine.launcher, whole) },
    [names[1]]: { run: pool.prepare(shared) },
  };
  const times = measure(plans, { rounds, sampleNs: 2_000_000 });
  if (Buffer.compare(source, target) !== 0) throw new Error(`${who}: expected a copy, got other bytes`);
  pool.release();
  [1, THREADS].forEach((threads, i) =>
    rows.push({
      workload: who,
      count: 1,
      packedBytes: bytes,
      direction: "copy",
      route: "host",
      contender: threads === 1 ? who : `${who} (${threads} threads)`,
      ...times[names[i]],
      verified: true,
    }),
  );
  const rates = names.map((name) => bytes / times[name].minNs);
  console.log(
    `${who} of ${bytes} bytes: ${rates[0].toFixed(1)} GB/s on 1 thread, ${rates[1].toFixed(1)} on ${THREADS}`,
  );
  return Math.max(...rates);
}

/** GB/s through memory, reads and writes, of the best copy of `bytes`. */
function limitAt(bytes) {
  const memcpy = koffi.load("libc.so.6").func("uintptr_t dlsym(uintptr_t, const char *)")(0, "memcpy");
  const copy = probeMachine().machine.copy.addressForAny();
  const rates = [
    copyRate("memcpy", (from, to, length) => [memcpy, to, from, length, 0, 0], bytes),
    copyRate("x64 copy", (from, to, length) => [copy, from, to, 1, 0, length], bytes),
  ];
  return 2 * Math.max(...rates);
}

/** Bytes of the LLC, by Linux. */
function lastCacheBytes() {
  const sizes = [0, 1, 2, 3, 4]
    .map((index) => `/sys/devices/system/cpu/cpu0/cache/index${index}/size`)
    .filter(existsSync)
    .map((path) => parseInt(readFileSync(path, "utf8")) * 1024);
  return Math.max(0, ...sizes);
}

function openCell(name, packedBytes, direction, threadsFromBytes) {
  const {
    datatype,
    count,
    packedBytes: actual,
  } = workload(name, { packedBytes: nearestPackedBytes(name, packedBytes) });
  const layout = canonicalise(lower(datatype));
  const lows = [layout.trueLowerBoundBytes, layout.trueLowerBoundBytes + (count - 1) * layout.extentBytes];
  const low = Math.min(0, ...lows);
  const array = lineAligned(Math.max(...lows) + layout.trueExtentBytes - low);
  const message = lineAligned(actual);
  const pack = direction === "pack";
  // Each byte is its offset's, and a message is what packing gives: entries that overlap agree.
  for (let i = 0; i < array.length; i++) array[i] = (i * 131 + (i >> 8)) & 255;
  const want = pack ? new Uint8Array(actual) : new Uint8Array(array.length).fill(90);
  const bits = new Uint8Array(Math.ceil(array.length / 8));
  let overlaps = false;
  const lines = new Uint8Array(Math.ceil(array.length / LINE_BYTES));
  let at = 0;
  forEachRun(layout, { count, first: 0, length: actual }, (offset, length) => {
    const run = array.subarray(offset - low, offset - low + length);
    if (!pack) message.set(run, at);
    want.set(run, pack ? at : offset - low);
    lines.fill(1, Math.floor((offset - low) / LINE_BYTES), Math.floor((offset - low + length - 1) / LINE_BYTES) + 1);
    for (let byte = offset - low; byte < offset - low + length; byte++) {
      overlaps ||= ((bits[byte >> 3] >> (byte & 7)) & 1) === 1;
      bits[byte >> 3] |= 1 << (byte & 7);
    }
    at += length;
  });
  let touched = 0;
  for (const line of lines) touched += line * LINE_BYTES;
  if (!pack) array.fill(90);
  const [source, target] = pack ? [array, message] : [message, array];
  const [sourceOrigin, targetOrigin] = pack ? [-low, 0] : [0, -low];
  const backend = new X64Backend(threadsFromBytes === undefined ? {} : { threadsFromBytes });
  const binding = {
    source: { memory: hostMemory(source), originBytes: sourceOrigin },
    target: { memory: hostMemory(target), originBytes: targetOrigin },
    count,
    first: 0,
    length: actual,
  };
  const plans = [1, THREADS].map((threads) =>
    backend
      .load(backend.compile([pack ? packMove(layout) : unpackMove(layout)], conditions({ threads })))
      .bind([binding]),
  );
  const before = target.slice();
  for (const [i, plan] of plans.entries()) {
    target.set(before);
    plan.run();
    if (Buffer.compare(target, want) !== 0)
      throw new Error(`${name} ${direction}: expected ${names[i]} to move what the runs say, got other bytes`);
  }
  const close = () => {
    for (const plan of plans) plan[Symbol.dispose]();
    backend[Symbol.dispose]();
  };
  // What is written is read first, except by non-temporal stores of a pack.
  const trafficBytes = pack ? touched + actual : actual + 2 * touched;
  return {
    name,
    count,
    direction,
    packedBytes: actual,
    plans: { [names[0]]: plans[0], [names[1]]: plans[1] },
    overlaps,
    trafficBytes,
    footprintBytes: touched + actual,
    close,
  };
}

const ratio = (times, which) => times[names[0]][which] / times[names[1]][which];

function keep(cell, times, more = {}) {
  [1, THREADS].forEach((threads, i) =>
    rows.push({
      workload: cell.name,
      count: cell.count,
      packedBytes: cell.packedBytes,
      direction: cell.direction,
      route: "host",
      contender: contender(threads),
      ...times[names[i]],
      verified: true,
      ...(threads === 1 ? {} : more),
    }),
  );
}

const SHORT = ["vector-1of2", "vector-16of64", "struct24", "indexed-random"];

/** From what size on sharing pays: threads that spin still, and threads that slept. */
function fromWhatSize(name, packedBytes) {
  const cell = openCell(name, packedBytes, "pack", 1);
  const asleep = Object.fromEntries(Object.entries(cell.plans).map(([who, plan]) => [who, afterPause(plan)]));
  const [hot, cold] = [measure(cell.plans, { rounds, sampleNs: 500_000 }), takeTurns(asleep, rounds)];
  keep(cell, hot, { asleepMedianNs: cold[names[1]].medianNs, oneThreadAfterPauseMedianNs: cold[names[0]].medianNs });
  cell.close();
  console.log(
    `${name.padEnd(16)} ${String(cell.packedBytes).padStart(8)} pack: on ${THREADS} threads that spin ${ratio(hot, "medianNs").toFixed(2)} (of minima ${ratio(hot, "minNs").toFixed(2)}), that sleep ${ratio(cold, "medianNs").toFixed(2)} (of minima ${ratio(cold, "minNs").toFixed(2)})`,
  );
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** The time of one run, a millisecond after the last. */
const afterPause = (plan) => () => {
  Atomics.wait(pause, 0, 0, 1);
  const start = process.hrtime.bigint();
  plan.run();
  return Number(process.hrtime.bigint() - start);
};

function takeTurns(timed, times) {
  const samples = Object.fromEntries(Object.keys(timed).map((who) => [who, []]));
  for (let i = 0; i < times; i++) for (const [who, time] of Object.entries(timed)) samples[who].push(time());
  return Object.fromEntries(
    Object.entries(samples).map(([who, all]) => [
      who,
      { medianNs: all.sort((a, b) => a - b)[all.length >> 1], minNs: all[0] },
    ]),
  );
}

const cacheBytes = lastCacheBytes();
const limits = { inCache: limitAt(16 * 1024 * 1024), inMemory: limitAt(64 * 1024 * 1024) };
console.log(
  `limits of reads and writes: ${limits.inCache.toFixed(1)} GB/s in an LLC of ${cacheBytes} bytes in part, ${limits.inMemory.toFixed(1)} past it`,
);
for (const name of SHORT)
  for (const bytes of [32, 64, 128, 256, 512, 1024, 2048, 4096]) fromWhatSize(name, bytes * 1024);

const gains = { below: [], at: [] };
const left = [];
for (const name of workloadNames().filter((each) => new RegExp(pattern).test(each))) {
  const size = nearestPackedBytes(name, Number(sizeText));
  if (size < Number(sizeText) / 2 || arrayBytes(name, size) > MOST_ARRAY_BYTES) {
    left.push(`${name}: ${size} bytes packed, in an array of ${arrayBytes(name, size)}`);
    continue;
  }
  for (const direction of ["pack", "unpack"]) {
    const cell = openCell(name, size, direction);
    if (direction === "unpack" && cell.overlaps) {
      left.push(`${name} unpacked: its entries overlap, so that what it leaves is undefined`);
      cell.close();
      continue;
    }
    const times = measure(cell.plans, { rounds, sampleNs: 4_000_000 });
    // At the limit: memory would have to be faster than it is for the gain that is wanted.
    const limit = cell.footprintBytes > cacheBytes ? limits.inMemory : limits.inCache;
    const room = limit / (cell.trafficBytes / times[names[0]].minNs);
    const atLimit = room < WANTED;
    keep(cell, times, { memoryAllows: room, atMemoryLimitWithOneThread: atLimit });
    cell.close();
    gains[atLimit ? "at" : "below"].push({ median: ratio(times, "medianNs"), least: ratio(times, "minNs") });
    const rate = (who) => (cell.packedBytes / times[who].minNs).toFixed(1).padStart(5);
    console.log(
      `${name.padEnd(20)} ${direction.padEnd(6)} ${rate(names[0])} and ${rate(names[1])} GB/s: ${ratio(times, "medianNs").toFixed(2)} (of minima ${ratio(times, "minNs").toFixed(2)}); memory allows ${room.toFixed(2)}${atLimit ? ", at its limit with one thread" : ""}`,
    );
  }
}
for (const line of left) console.log(`left out: ${line}`);
for (const [which, cells] of Object.entries(gains)) {
  if (cells.length > 0)
    console.log(
      `${which} the limit with one thread: ${JSON.stringify({ ofMedians: summarise(cells.map(({ median }) => median)), ofMinima: summarise(cells.map(({ least }) => least)) })}`,
    );
}
writeResults(file, rows, { memoryLimitsGBs: limits, lastCacheBytes: cacheBytes, leftOut: left });
