import { BLOCKS, vectorOf } from "../parts/cuda-rows.mjs";
import { backendOn, cellsOn, DIRECTIONS, memcpyOn } from "../parts/device.mjs";
import { callsOn, routesExperiment } from "../parts/routes.mjs";

export default routesExperiment({
  name: "routes-one-shot",
  question: "How many blocks does one launch on mapped memory need to fill the bus, by the length of runs?",
  budgetMs: 30,
  *cells(gpu, { simulated }) {
    const size = simulated ? 2 ** 16 : 2 ** 26;
    for (const block of BLOCKS)
      yield* cellsOn(gpu, `vector-${block}`, vectorOf(block, 2 * block, size), { directions: DIRECTIONS });
  },
  contenders(cell) {
    const ours = ["cuda-strided", "cuda-generic"].flatMap((packer) =>
      [1, 2, 4, 8].map((smBudget) => [
        `one-shot/${packer}, ${smBudget} blocks`,
        backendOn(cell, cell.backends.get(`one-shot/${packer}`), { packed: "pinned", smBudget }),
      ]),
    );
    return { ...Object.fromEntries(ours), ...callsOn(cell, "one-shot"), memcpy: memcpyOn(cell, "one-shot") };
  },
});
