import { grouped } from "@stowage/bench";
import { BLOCKS, vectorOf } from "../parts/cuda-rows.mjs";
import { backendOn, backendsOn, cellsOn, DIRECTIONS, memcpyOn, onGpu, present, SIMULATED } from "../parts/device.mjs";
import { timesText } from "../dist/times-text.js";

/** Each contender's speed as a share of the plain copy's. */
function sharesText(rows) {
  const cells = grouped(rows, ({ workload, direction }) => `${workload} ${direction}`);
  return [...cells]
    .map(([name, cell]) => {
      const plain = cell.find(({ contender }) => contender === "memcpy").medianNs;
      const shares = cell.map(({ contender, medianNs }) => `${contender} ${((100 * plain) / medianNs).toFixed(1)} %`);
      return `${name}, of the plain copy's speed: ${shares.join(", ")}`;
    })
    .join("\n");
}

export default {
  name: "routes-pipelined",
  question: "How near do packs in chunks, overlapped with copies, come to the plain copy of as many bytes?",
  kind: "moves",
  options: { ...SIMULATED, size: { kind: "number", says: "packed bytes", byDefault: 2 ** 28 } },
  trial: { simulated: true, size: 2 ** 18 },
  sampling: () => ({ budgetMs: 90 }),
  *cells(given, lab) {
    yield* onGpu(given, lab, function* (gpu) {
      const backends = backendsOn(gpu);
      for (const block of BLOCKS) {
        const datatype = vectorOf(block, 2 * block, given.size);
        for (const cell of cellsOn(gpu, `vector-${block}`, datatype, { directions: DIRECTIONS }))
          yield { ...cell, backends };
      }
    });
  },
  contenders(cell) {
    const ours = ["pipelined/cuda-strided", "pipelined/cuda-generic"].map((name) => [
      name,
      backendOn(cell, cell.backends.get(name), { packed: "pinned" }),
    ]);
    return present({ ...Object.fromEntries(ours), memcpy: memcpyOn(cell, "one-shot") });
  },
  text: (rows) => `${timesText(rows)}\n\n${sharesText(rows)}`,
};
