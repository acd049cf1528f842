import { workload } from "@stowage/workloads";
import { cellApart, contendersApart } from "../parts/apart.mjs";
import { backendsOn, onGpu, SIMULATED } from "../parts/device.mjs";

const NAMES = ["cuda-generic", "one-shot/cuda-generic", "device/cuda-generic", "pipelined/cuda-generic", "dma"];

export default {
  name: "routes-hacc",
  question: "How long do HACC's fields take to the host by each route, beside one copy a field? (TPDS 2014, table 4)",
  kind: "moves",
  options: SIMULATED,
  trial: { simulated: true },
  *cells(given, lab) {
    yield* onGpu(given, lab, function* (gpu) {
      const all = backendsOn(gpu);
      const backends = NAMES.map((name) => all.get(name));
      for (let rank = 0; rank < (given.simulated ? 1 : 8); rank++) {
        const name = `vblock/${rank}`;
        for (const cell of cellApart(gpu, name, workload(name).datatype)) yield { ...cell, backends };
      }
    });
  },
  contenders: (cell) => contendersApart(cell, cell.backends),
};
