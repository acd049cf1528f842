// node in-workers.mjs WORKERS ENDING: backends in as many threads of Node at once, each with native threads of its own
// and several plans in flight. Each ends in its own way; then this process ends as ENDING says: "return", or by an exit
// code.
import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { conditions, hostMemory, packMove, unpackMove } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import { blocks, dense, layout, stream } from "@stowage/ir";

const ROUNDS = 25;
const WAYS = ["disposed", "left", "exited", "terminated"];

const element = (root) => layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes });
const starts = Int32Array.from({ length: 40_000 }, (_, i) => ((i * 7919) % 40_000) * 160);
const TYPES = [
  element(stream(50_000, 96, dense(56))),
  element(stream(512, 16, stream(512, 8192, dense(16)))),
  element(
    blocks(
      starts,
      Int32Array.from(starts, (_, i) => 1 + (i % 16)),
      8,
      dense(8),
    ),
  ),
];

/** By a loop: Uint8Array.from asks an object for each of its millions of elements. */
function filled(length, seed) {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = i * 131 + (i >> 8) + seed;
  return bytes;
}

function plansOf(backend, type, seed) {
  const array = filled(type.root.highBytes, seed);
  const message = new Uint8Array(type.sizeBytes);
  const back = new Uint8Array(array.length).fill(90);
  const again = new Uint8Array(type.sizeBytes);
  const span = (bytes) => ({ memory: hostMemory(bytes), originBytes: 0 });
  const plan = (move, source, target) =>
    backend
      .load(backend.compile([move], conditions({ threads: 2 })))
      .bind([{ source: span(source), target: span(target), count: 1, first: 0, length: type.sizeBytes }]);
  const plans = [
    plan(packMove(type), array, message),
    plan(unpackMove(type), message, back),
    plan(packMove(type), back, again),
  ];
  return {
    plans,
    run: (i) => plans[i].run().wait(),
    agrees: () => Buffer.compare(message, again) === 0 && message.some((byte) => byte !== 0),
    clear: () => [message, back, again].forEach((bytes) => bytes.fill(0)),
  };
}

function work(seed) {
  const backend = new X64Backend();
  const sets = TYPES.map((type, i) => plansOf(backend, type, seed + i));
  for (let round = 0; round < ROUNDS; round++) {
    for (const set of sets) set.clear();
    for (let step = 0; step < 3; step++) for (const set of sets) set.run(step);
    if (!sets.every((set) => set.agrees()))
      throw new Error(`round ${round}: expected what was packed, got other bytes`);
  }
  return () => {
    for (const { plans } of sets) for (const plan of plans) plan[Symbol.dispose]();
    backend[Symbol.dispose]();
  };
}

if (isMainThread) {
  const [, , workers, ending] = process.argv;
  const started = Array.from(
    { length: Number(workers) },
    (_, i) => new Worker(new URL(import.meta.url), { workerData: { seed: i, way: WAYS[i % WAYS.length] } }),
  );
  const outcomes = await Promise.all(
    started.map(async (worker) => {
      const [said] = await once(worker, "message");
      if (said === "terminated") await worker.terminate();
      else await once(worker, "exit");
      return said;
    }),
  );
  // The main thread's own, in use after all that.
  work(99);
  console.log(outcomes.join(" "));
  if (ending !== "return") process.exit(Number(ending));
} else {
  const { seed, way } = workerData;
  const dispose = work(seed);
  if (way === "disposed") dispose();
  parentPort.postMessage(way);
  if (way === "terminated") setInterval(() => undefined, 1000);
  if (way === "exited") setTimeout(() => process.exit(0), 20);
}
