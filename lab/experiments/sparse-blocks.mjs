import { stream } from "@stowage/ir";
import { blocksAt, elementOf, optionsExperiment } from "../parts/options-race.mjs";

const PAGE_BYTES = 4096;
const MOST_ARRAY_BYTES = 2 ** 30;
const pairs = (text) => text.split(" ").map((shape) => shape.split("/").map(Number));
const FAR = pairs("20/1000 40/3240 40/32840 32/600 8/4104 64/840");
const NEAR = pairs("12/64 16/64 16/128 20/200 32/64 32/100 32/128 32/328 32/1000");
const IN_ROWS = [[16, 64], [64, 64], [32, 128], [8, 1000], [128, 128]]; // prettier-ignore

/** Blocks in rows that are a little over twice as far apart as they are long. */
const rowsOf = (rows, count, block, stride) =>
  stream(rows, Math.ceil((2 * count * stride) / PAGE_BYTES) * PAGE_BYTES + 192, blocksAt(count, block, stride));

function* all() {
  const prefetches = {
    before: { prefetchEntries: 16, prefetchL2: true },
    after: { prefetchEntries: 16, prefetchL2: false },
  };
  for (const [block, stride] of FAR)
    for (const count of [1000, 2000, 4000, 8000, 16_000, 64_000]) {
      const what = `prefetches: ${count} of ${block} in ${stride} bytes`;
      yield [what, blocksAt(count, block, stride), prefetches, ["pack"]];
    }
  const rounds = { before: { longRoundsInL2: false }, after: { longRoundsInL2: true } };
  for (const [block, stride] of NEAR)
    for (const [count, inRow] of IN_ROWS)
      yield [
        `rounds: ${count} rows of ${inRow} of ${block} in ${stride} bytes`,
        rowsOf(count, inRow, block, stride),
        rounds,
      ];
}

export default optionsExperiment({
  name: "sparse-blocks",
  question: "What do prefetches of what lies in L2, and rounds of 32, bring to short blocks in lines of their own?",
  rounds: 21,
  *shapes() {
    for (const [workload, root, contenders, directions] of all())
      if (root.highBytes <= MOST_ARRAY_BYTES) yield { workload, type: elementOf(root), contenders, directions };
  },
});
