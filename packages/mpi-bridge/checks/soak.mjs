// A soak: messages of random datatypes between all ranks, every byte checked, memory watched.
// mpirun -n 4 node packages/mpi-bridge/checks/soak.mjs [MESSAGES, default 1000000] [SEED]
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { hostMemory } from "@stowage/backend-api";
import { anyDatatype } from "@stowage/arbitraries";
import { boundsOf, forEachRun, printSignature, signatureOf } from "@stowage/ir";
import { openMpi } from "@stowage/mpi-bridge";
import * as fc from "fast-check";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");
const [messages = 1_000_000, seed = 1] = process.argv.slice(2).map(Number);
const mpi = openMpi();
const { world, requests } = mpi;
const { rank, size } = world;
/** Types of one round: all ranks draw the same. New ones come each round, and the last ones go. */
const TYPES_A_ROUND = 24;
const MESSAGES_A_ROUND = 4000;
const options = { disjoint: true, maxSizeBytes: 600, maxReachBytes: 4096 };
const GUARD = 5000;
const CARRIERS = ["native", "packed", "auto"];

const own = (from, type, i) => (from * 131 + type * 31 + i * 7 + 3) & 255;

/** MPICH moves 10 of a long double's 16 bytes where a type is its own: padding holds no data, and ours moves it. */
const losesPadding = (datatype) =>
  mpi.mpi.family === "mpich" && /LONG_DOUBLE/.test(printSignature(signatureOf(datatype), 2 ** 20));

/** Elements on their way: where the type map has bytes, and what a message from each rank leaves there. */
function subject(datatype, number) {
  const carrier = losesPadding(datatype) ? "packed" : CARRIERS[(number + rank) % 3];
  const type = mpi.commit(datatype, { carrier });
  const count = 1 + (number % 3);
  const { trueLowerBoundBytes, trueExtentBytes, extentBytes } = boundsOf(datatype, { bounds: mpi.mpi.bounds });
  const last = (count - 1) * extentBytes;
  const low = trueLowerBoundBytes + Math.min(0, last);
  const high = trueLowerBoundBytes + trueExtentBytes + Math.max(0, last);
  if (high - low > 4 * GUARD) return undefined;
  const bytes = high - low + 32;
  const originBytes = 16 - low;
  const isData = new Uint8Array(bytes);
  for (let element = 0; element < count; element++) {
    forEachRun(type.layout, { count: 1, first: 0, length: type.sizeBytes }, (offset, length) => {
      isData.fill(
        1,
        originBytes + element * extentBytes + offset,
        originBytes + element * extentBytes + offset + length,
      );
    });
  }
  const sent = Uint8Array.from({ length: bytes }, (_, i) => own(rank, number, i));
  const into = new Uint8Array(bytes);
  const expected = Array.from({ length: size }, (_, from) =>
    isData.map((data, i) => (data === 1 ? own(from, number, i) : 0xa5)),
  );
  const elements = (buffer) => ({ buffer: { memory: hostMemory(buffer), originBytes }, datatype: type, count });
  return { type, out: elements(sent), in: elements(into), into, expected, bytes: count * type.sizeBytes };
}

const cell = new Int32Array(new SharedArrayBuffer(4));

/** As waitAll, but the processor is left to the other ranks meanwhile: there may be more of them than processors. */
function ended(both) {
  for (;;) {
    const statuses = requests.testAll(both);
    if (statuses !== undefined) return statuses;
    Atomics.wait(cell, 0, 0, 0.02);
  }
}

let state = seed;
const random = (below) => (state = (state * 1103515245 + 12345) & 0x7fffffff) % below;
const start = performance.now();
let [done, checkedBytes, round] = [0, 0, 0];
const memory = [];
while (done * size < messages) {
  const datatypes = fc.sample(anyDatatype(options), { seed: seed + round, numRuns: TYPES_A_ROUND });
  const subjects = datatypes.map(subject).filter((each) => each !== undefined);
  for (let i = 0; i < MESSAGES_A_ROUND; i++, done++) {
    const which = random(subjects.length);
    const step = 1 + random(size - 1 || 1);
    const { out, in: target, into, expected, bytes } = subjects[which];
    const [to, from] = [(rank + step) % size, (rank + size - (step % size)) % size];
    into.fill(0xa5);
    const arriving = world.irecv(target, i % 5 === 0 ? undefined : from, { tag: i % 1000 });
    const sending = i % 7 === 0 ? world.issend(out, to, { tag: i % 1000 }) : world.isend(out, to, { tag: i % 1000 });
    const [status] = i % 32 === 0 ? requests.waitAll([arriving, sending]) : ended([arriving, sending]);
    if (status.sizeBytes !== bytes || status.source !== from || Buffer.compare(into, expected[from]) !== 0) {
      console.log(
        `rank ${rank}: message ${done}: expected ${bytes} bytes of rank ${from}, got ${status.sizeBytes} of ${status.source} or other bytes; seed ${seed}, round ${round}`,
      );
      mpi.abort(1);
    }
    checkedBytes += into.length;
  }
  for (const { type } of subjects) type[Symbol.dispose]();
  world.barrier();
  collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  memory.push({ rss, heapUsed, external });
  round++;
}
const mib = (bytes) => (bytes / 2 ** 20).toFixed(1);
const third = Math.max(1, Math.floor(memory.length / 3));
const mean = (list) => list.reduce((sum, each) => sum + each, 0) / list.length;
const byThirds = (of) => [0, 1, 2].map((i) => mib(mean(memory.slice(i * third, (i + 1) * third).map(of)))).join(", ");
console.log(
  `rank ${rank} of ${size}, ${mpi.mpi.name}: ${done} messages sent and ${done} received, ${round * TYPES_A_ROUND} datatypes, ` +
    `${mib(checkedBytes)} MiB checked, ${((performance.now() - start) / 1000).toFixed(0)} s; MiB by thirds: ` +
    `resident ${byThirds(({ rss }) => rss)}; heap ${byThirds(({ heapUsed }) => heapUsed)}; ` +
    `outside it ${byThirds(({ external }) => external)}; requests left: ${mpi.underWay}`,
);
