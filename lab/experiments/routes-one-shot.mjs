import { copyRouteContender } from "@stowage/bench/device";
import { BLOCKS, vectorOf } from "../parts/cuda-rows.mjs";
import {
  backendOn,
  backendsOn,
  cellsOn,
  DIRECTIONS,
  memcpyOn,
  ofHarness,
  onGpu,
  present,
  SIMULATED,
} from "../parts/device.mjs";

export default {
  name: "routes-one-shot",
  question: "How many blocks does one launch on mapped memory need to fill the bus, by the length of runs?",
  kind: "moves",
  options: SIMULATED,
  trial: { simulated: true },
  sampling: () => ({ budgetMs: 30 }),
  *cells(given, lab) {
    const size = given.simulated ? 2 ** 16 : 2 ** 26;
    yield* onGpu(given, lab, function* (gpu) {
      const backends = backendsOn(gpu);
      for (const block of BLOCKS)
        for (const cell of cellsOn(gpu, `vector-${block}`, vectorOf(block, 2 * block, size), {
          directions: DIRECTIONS,
        }))
          yield { ...cell, backends };
    });
  },
  contenders(cell) {
    const ours = ["cuda-strided", "cuda-generic"].flatMap((packer) =>
      [1, 2, 4, 8].map((smBudget) => [
        `one-shot/${packer}, ${smBudget} blocks`,
        backendOn(cell, cell.backends.get(`one-shot/${packer}`), { packed: "pinned", smBudget }),
      ]),
    );
    const calls = copyRouteContender(cell.gpu, cell.input, cell.cell, "one-shot");
    const byDriver = calls.map((call) => [call.name, ofHarness(call, cell.cell)]);
    return present({ ...Object.fromEntries([...ours, ...byDriver]), memcpy: memcpyOn(cell, "one-shot") });
  },
};
