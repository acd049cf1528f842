import { DoorbellBackend } from "@stowage/backend-cuda-strided";
import { predefined, vector } from "@stowage/ir";
import { another, backendOn, backendsOn, cellsOn, memcpyOn } from "../parts/device.mjs";
import { backendsBy, callsOn, routesExperiment } from "../parts/routes.mjs";

const ROWS = 128;
const PITCH = 512;

/** One packer's plan, waited for in each way; a graph needs a plan of its own. */
function waysOf(cell, name) {
  const { stream } = cell.gpu;
  const own = () => backendOn(cell, cell.backends.get(name), { packed: "pinned" });
  const plain = own();
  const polled = another(plain, () => {
    const end = plain.send();
    while (!end.poll());
  });
  const graphOf = (options, wait) => {
    const entrant = own();
    const graph = entrant.plan.capture(stream, options);
    const run = () => wait(graph.run(stream));
    return { ...another(entrant, run), [Symbol.dispose]: () => entrant[Symbol.dispose]() };
  };
  return {
    [name]: plain,
    [`${name}, polled`]: polled,
    [`${name}, graph and event`]: graphOf({ completion: "event" }, (end) => end.wait()),
    [`${name}, graph and flag`]: graphOf({ completion: "flag" }, (end) => end.wait()),
    [`${name}, graph and stream`]: graphOf(undefined, () => stream.synchronize()),
  };
}

export default routesExperiment({
  name: "routes-latency",
  question:
    "How soon does the host see 1 KiB packed: by an event, a graph, a flag in mapped memory, a kernel that waits?",
  budgetMs: 100,
  *cells(gpu) {
    const column = vector(ROWS, 1, PITCH, predefined("MPI_DOUBLE"));
    // By itself: whoever waits for the device waits for a kernel that waits to leave.
    for (const alone of [false, true])
      for (const cell of cellsOn(gpu, "column-1KiB", column)) yield { ...cell, backends: backendsOn(gpu), alone };
  },
  contenders(cell, { simulated }) {
    if (cell.alone) return doorbell(cell, simulated);
    const ways = ["one-shot/cuda-strided", "one-shot/cuda-generic", "one-shot/dma"].map((name) => waysOf(cell, name));
    return {
      ...Object.assign({}, ...ways),
      ...backendsBy(cell, ["device/cuda-strided"], { packed: "pinned" }),
      ...callsOn(cell, "one-shot"),
      memcpy: memcpyOn(cell, "one-shot"),
    };
  },
});

function doorbell(cell, simulated) {
  const strided = cell.backends.get("cuda-strided");
  const bell = new DoorbellBackend(strided, { idleMicroseconds: simulated ? 1 : 500_000 });
  const rung = backendOn(cell, bell, { packed: "pinned" });
  const entrant = another(rung, () => rung.plan.run(cell.gpu.stream));
  // Nothing looks at the device while the kernel waits.
  let first = true;
  const check = () => (first ? entrant.run() : entrant.check(), (first = false));
  return { "one-shot/cuda-strided, doorbell": { ...entrant, check, [Symbol.dispose]: () => rung[Symbol.dispose]() } };
}
