// What experiments on a GPU share: the device, the cells of a datatype on it, and who moves them.
import { conditions, packMove, unpackMove } from "@stowage/backend-api";
import { CudaGenericBackend } from "@stowage/backend-cuda-generic";
import { CudaStridedBackend } from "@stowage/backend-cuda-strided";
import { DmaBackend } from "@stowage/backend-dma";
import { X64Backend } from "@stowage/backend-x64";
import { cellsOf, grouped, medianCommitNs, requireSameBytes, significant } from "@stowage/bench";
import { CellInput, Gpu, memcpyContender, packedOutput, scatteredOutput } from "@stowage/bench/device";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { Routes } from "@stowage/routes";
import { timesText } from "../dist/times-text.js";

export const SIMULATED = { simulated: { kind: "flag", says: "on a simulated device: right, and no measure of time" } };
export const DIRECTIONS = ["pack", "unpack"];

/** A driver, simulated where asked for. */
export const driverOf = ({ simulated }, options = {}) =>
  simulated ? openSimulatedCuda({ backedBytes: 2 ** 29, ...options }) : openCuda();

/** Gives `use` a GPU that is awake, and lets go of it. */
export function* onGpu(given, lab, use, driver = driverOf(given)) {
  const gpu = new Gpu(driver);
  try {
    gpu.warmUp();
    lab.note({ machine: gpu.machine });
    yield* use(gpu);
  } finally {
    gpu[Symbol.dispose]();
  }
}

/** Says which GPU other processes work on, and leaves it to them. */
export function noteMachine(given, lab) {
  const gpu = new Gpu(driverOf(given));
  lab.note({ machine: gpu.machine });
  gpu[Symbol.dispose]();
}

/** The backends of a GPU and the routes over them, by their names. */
export function backendsOn({ driver }) {
  const packers = [
    new CudaStridedBackend(() => driver),
    new CudaGenericBackend({ driver }),
    new DmaBackend(() => driver),
  ];
  const routes = new Routes(packers, { driver: () => driver, hostPackers: [new X64Backend()] });
  return new Map([...packers, ...routes.backends, ...routes.bulk].map((backend) => [backend.name, backend]));
}

/** The cells of a datatype on a device, whose data is there until the next is asked for. */
export function* cellsOn(gpu, workload, datatype, { count = 1, directions = ["pack"], ...label } = {}) {
  const cells = cellsOf(workload, datatype, count);
  const input = new CellInput(gpu, cells[0]);
  try {
    for (const cell of cells.filter(({ direction }) => directions.includes(direction))) {
      const { packedBytes, direction } = cell;
      yield { label: { workload, count, packedBytes, direction, ...label }, gpu, cell, input };
    }
  } finally {
    input[Symbol.dispose]();
  }
}

/** What `cells` yields, each while L2 fetches so many bytes at a time; undefined: as many as by itself. */
export function* fetching({ context }, bytes, cells) {
  if (bytes === undefined) return yield* cells;
  const before = context.limit("l2FetchBytes");
  context.setLimit("l2FetchBytes", bytes);
  try {
    yield* cells;
  } finally {
    context.setLimit("l2FetchBytes", before);
  }
}

/** The side where packed bytes lie: on the device, pinned, or pageable, which is packed to alone. */
function outputOf(gpu, cell, packed) {
  if (cell.direction === "unpack") return scatteredOutput(gpu, cell);
  if (packed !== "host") return packedOutput(gpu, cell, packed);
  const bytes = new Uint8Array(cell.packedBytes);
  return {
    memory: { kind: "host", sizeBytes: bytes.length, bytes },
    check(contender) {
      requireSameBytes(cell, contender, cell.packed, bytes);
      bytes.fill(0);
    },
    [Symbol.dispose]: () => undefined,
  };
}

const ROUTES = ["one-shot", "device", "staged", "pipelined", "doorbell"];

/** Where a backend's packed bytes end, as rows name it. */
export function routeOf(name, packed = "pinned") {
  const [first] = name.split("/");
  if (ROUTES.includes(first)) return first === "doorbell" ? "one-shot" : first;
  if (first === "bulk" || first === "dma" || first.startsWith("cuMemcpy")) return "dma";
  return packed === "device" ? "device" : "one-shot";
}

/** A backend on a cell of cellsOn, committed and bound; undefined where it refuses. `given`: conditions. */
export function backendOn({ gpu, cell, input }, backend, { packed = "device", queue = gpu.stream, ...given } = {}) {
  const packing = cell.direction === "pack";
  const move = packing ? packMove(input.layout) : unpackMove(input.layout);
  const kinds = packing ? { sourceKind: "device", targetKind: packed } : { sourceKind: packed, targetKind: "device" };
  const asked = conditions({ ...kinds, ...given });
  if (!backend.supports([move], asked).ok) return undefined;
  const output = outputOf(gpu, cell, packed);
  const begun = process.hrtime.bigint();
  const kernel = backend.load(backend.compile([move], asked));
  const scattered = { memory: packing ? input.scattered : output.memory, originBytes: cell.originBytes };
  const dense = { memory: packing ? output.memory : input.packed(packed), originBytes: 0 };
  const [source, target] = packing ? [scattered, dense] : [dense, scattered];
  const binding = { source, target, count: cell.count, first: 0, length: cell.packedBytes };
  const plan = kernel.bind([binding]);
  const commitNs = Number(process.hrtime.bigint() - begun);
  const calibrated = { machine: "h200", figures: {} };
  const { runNs } = backend.predict([move], { ...asked, count: cell.count }, calibrated);
  const run = () => plan.run(queue).wait();
  return {
    ...{ plan, move, kinds: asked, binding, output, run },
    send: () => plan.run(queue),
    check: () => (run(), output.check(backend.name)),
    facts: { route: routeOf(backend.name, packed), commitNs, predictedNs: runNs },
    [Symbol.dispose]() {
      for (const held of [plan, kernel, output]) held[Symbol.dispose]();
    },
  };
}

/** Another way to do what one of backendOn does, into the same memory. */
export const another = (entrant, run, facts = {}) => ({
  ...{ run, facts: { ...entrant.facts, predictedNs: undefined, ...facts } },
  check: () => (run(), entrant.output.check("contender")),
});

/** A contender of the harness. `isWhole`: its row says its time on the device between events, and its commit's. */
export function ofHarness(contender, cell, { isWhole = false } = {}) {
  const prepared = contender.prepare(cell);
  if ("reason" in prepared) return undefined;
  const whole = () => ({
    commitNs: prepared.commit === undefined ? 0 : medianCommitNs(prepared.commit),
    eventNs: prepared.eventNs?.(),
  });
  return {
    run: () => prepared.run(),
    check: () => (prepared.run(), prepared.verify()),
    // Asked for once, when all have been timed.
    get facts() {
      return { route: contender.route, ...(isWhole ? whole() : {}) };
    },
    [Symbol.dispose]: () => prepared[Symbol.dispose](),
  };
}

/** As many bytes side by side: what the bus or the device takes. */
export const memcpyOn = ({ gpu, cell, input }, route) => ofHarness(memcpyContender(gpu, input, route), cell);

/** Something that writes a cell's packed bytes to memory of its own; `send` sends it to the GPU's stream. */
export function packerOn({ gpu, cell }, packed, facts, make) {
  const output = outputOf(gpu, cell, packed);
  const send = make(output.memory);
  const run = () => (send(gpu.stream), gpu.stream.synchronize());
  return {
    run,
    facts,
    check: () => (run(), output.check(facts.route)),
    [Symbol.dispose]: () => output[Symbol.dispose](),
  };
}

/** Those that take part. */
export const present = (entrants) =>
  Object.fromEntries(Object.entries(entrants).filter(([, each]) => each !== undefined));

/** Times of cells that are of one route each. */
export const textByRoute = (rows) => timesText(rows.map((row) => ({ packed: row.route, ...row })));

/** For each cell: the contender that is predicted to take the least, and its time over the quickest one's. */
export function predictedText(rows) {
  const cells = grouped(rows, ({ workload, direction, packedBytes }) => `${workload} ${direction} ${packedBytes}`);
  return [...cells]
    .map(([name, cell]) => {
      const known = cell.filter(({ predictedNs }) => Number.isFinite(predictedNs));
      if (known.length === 0) return `${name}: nothing predicted`;
      const chosen = known.reduce((least, each) => (each.predictedNs < least.predictedNs ? each : least));
      const best = Math.min(...cell.map(({ medianNs }) => medianNs));
      return `${name}: least predicted ${chosen.contender}, ${significant(chosen.medianNs / best)} of the quickest`;
    })
    .join("\n");
}
