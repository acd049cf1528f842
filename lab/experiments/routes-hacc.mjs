import { workload } from "@stowage/workloads";
import { cellApart, contendersApart } from "../parts/apart.mjs";
import { routesExperiment } from "../parts/routes.mjs";

const NAMES = ["cuda-generic", "one-shot/cuda-generic", "device/cuda-generic", "pipelined/cuda-generic", "dma"];

export default routesExperiment({
  name: "routes-hacc",
  question: "How long do HACC's fields take to the host by each route, beside one copy a field? (TPDS 2014, table 4)",
  *cells(gpu, { simulated }) {
    for (let rank = 0; rank < (simulated ? 1 : 8); rank++)
      yield* cellApart(gpu, `vblock/${rank}`, workload(`vblock/${rank}`).datatype);
  },
  contenders: (cell) =>
    contendersApart(
      cell,
      NAMES.map((name) => cell.backends.get(name)),
    ),
});
