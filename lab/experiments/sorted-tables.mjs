import { X64Backend } from "@stowage/backend-x64";
import { dense, integerTable, uniformBlocks } from "@stowage/ir";
import { backendOn, moveOn } from "../parts/host.mjs";
import { elementOf } from "../parts/options-race.mjs";
import { shuffled } from "../parts/shuffled.mjs";

/** Bytes of a block, and of a block with the gap behind it. */
const SHAPES = [[4, 8], [8, 16], [8, 32], [16, 32], [24, 48], [8, 64], [24, 128], [64, 128]]; // prettier-ignore
const MOST_REACH_BYTES = 2 ** 28;

export default {
  name: "sorted-tables",
  question: "What does unpacking shuffled blocks in the order of addresses bring, and what does sorting cost a commit?",
  kind: "moves",
  options: {
    least: { kind: "number", says: "the power of two of the fewest blocks", byDefault: 16 },
    most: { kind: "number", says: "of the most", byDefault: 22 },
  },
  trial: { least: 8, most: 8 },
  sampling: () => ({ budgetMs: 0, rounds: 9, sampleUs: 50, warmUpMs: 2 }),
  *cells({ least, most }) {
    const backend = new X64Backend({ sortReachBytes: 0 });
    for (let power = least; power <= most; power++) {
      const places = shuffled(2 ** power);
      for (const [block, apart] of SHAPES) {
        if (places.length * apart > MOST_REACH_BYTES) continue;
        const root = uniformBlocks(integerTable(places.length, (i) => places[i] * apart), dense(block)); // prettier-ignore
        const workload = `${places.length} shuffled blocks of ${block}, ${apart} bytes apart`;
        yield { ...moveOn(workload, elementOf(root), "unpack"), backend };
      }
    }
  },
  /** Who expects no calls has nothing sorted. */
  contenders: (cell) => ({
    "x64 unsorted": backendOn(cell, cell.backend),
    "x64 sorted": backendOn(cell, cell.backend, { reuse: Infinity }),
  }),
};
