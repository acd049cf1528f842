import { addressSpace, conditions, packMove } from "@stowage/backend-api";
import { cellsOf } from "@stowage/bench";
import { copyBytes } from "@stowage/cuda-driver";
import { packedOutput } from "@stowage/bench/device";
import { canonicalise, forEachRun, lower } from "@stowage/ir";
import { workload } from "@stowage/workloads";
import { backendsOn, onGpu, routeOf, SIMULATED } from "../parts/device.mjs";

const NAMES = ["cuda-generic", "one-shot/cuda-generic", "device/cuda-generic", "pipelined/cuda-generic", "dma"];

/** Each run of the structure in an allocation of its own. */
function apart(gpu, cell, layout) {
  const regions = [];
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (startBytes, sizeBytes) => {
    const buffer = gpu.context.deviceMemory(sizeBytes);
    const at = cell.originBytes + startBytes;
    gpu.write(buffer, cell.scattered.subarray(at, at + sizeBytes));
    regions.push({ startBytes, buffer });
  });
  return regions;
}

export default {
  name: "routes-hacc",
  question: "How long do HACC's fields take to the host by each route, beside one copy a field? (TPDS 2014, table 4)",
  kind: "moves",
  options: SIMULATED,
  trial: { simulated: true },
  *cells(given, lab) {
    yield* onGpu(given, lab, function* (gpu) {
      const backends = backendsOn(gpu);
      for (let rank = 0; rank < (given.simulated ? 1 : 8); rank++) {
        const { datatype } = workload(`vblock/${rank}`);
        const [cell] = cellsOf(`vblock/${rank}`, datatype, 1);
        const layout = canonicalise(lower(datatype));
        const regions = apart(gpu, cell, layout);
        const label = { workload: cell.workload, packedBytes: cell.packedBytes, direction: "pack" };
        yield { label, gpu, cell, layout, regions, backends };
        for (const { buffer } of regions) buffer[Symbol.dispose]();
      }
    });
  },
  contenders({ gpu, cell, layout, regions, backends }) {
    const output = packedOutput(gpu, cell, "pinned");
    const whole = { count: 1, first: 0, length: layout.sizeBytes };
    const source = { memory: addressSpace(regions), originBytes: 0 };
    const target = { memory: output.memory, originBytes: 0 };
    const kinds = conditions({ sourceKind: "device", targetKind: "pinned" });
    const entrant = (name, run) => ({ run, facts: { route: routeOf(name) }, check: () => (run(), output.check(name)) });
    const ours = NAMES.map((name) => {
      const backend = backends.get(name);
      const plan = backend.load(backend.compile([packMove(layout)], kinds)).bind([{ source, target, ...whole }]);
      return [name, entrant(name, () => plan.run(gpu.stream).wait())];
    });
    let at = output.memory.address;
    const copies = regions.map(({ buffer }) => {
      at += buffer.sizeBytes;
      return copyBytes(gpu.context, at - buffer.sizeBytes, buffer.address, buffer.sizeBytes);
    });
    const each = () => (copies.forEach((copy) => copy.run(gpu.stream)), gpu.stream.synchronize());
    const last = { ...entrant("dma", each), [Symbol.dispose]: () => output[Symbol.dispose]() };
    return { ...Object.fromEntries(ours), "one copy a field": last };
  },
};
