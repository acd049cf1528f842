import { grouped } from "@stowage/bench";
import { BLOCKS, vectorOf } from "../parts/cuda-rows.mjs";
import { cellsOn, DIRECTIONS, memcpyOn } from "../parts/device.mjs";
import { backendsBy, routesExperiment } from "../parts/routes.mjs";
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

export default routesExperiment({
  name: "routes-pipelined",
  question: "How near do packs in chunks, overlapped with copies, come to the plain copy of as many bytes?",
  options: { size: { kind: "number", says: "packed bytes", byDefault: 2 ** 28 } },
  trial: { size: 2 ** 18 },
  budgetMs: 90,
  *cells(gpu, { size }) {
    for (const block of BLOCKS)
      yield* cellsOn(gpu, `vector-${block}`, vectorOf(block, 2 * block, size), { directions: DIRECTIONS });
  },
  contenders: (cell) => ({
    ...backendsBy(cell, ["pipelined/cuda-strided", "pipelined/cuda-generic"], { packed: "pinned" }),
    memcpy: memcpyOn(cell, "one-shot"),
  }),
  text: (rows) => `${timesText(rows)}\n\n${sharesText(rows)}`,
});
