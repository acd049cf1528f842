import {
  memoryTraffic,
  predictBy,
  type Conditions,
  type CostModel,
  type Move,
  type Prediction,
  type Profile,
  type Walk,
} from "@stowage/backend-api";
import { layoutStatistics } from "@stowage/ir";
import { LONG_BYTES } from "../machine/transfer.js";

/** The interpreter's inner loops over words, and copies of long blocks; the lines and pages that they touch. */
export const CPU_COSTS: CostModel = {
  section: "cpu",
  mode: (direction) => direction,
  run({ statistics, count, blocks, meanBytes, packedBytes, groups }) {
    const isLong = meanBytes >= LONG_BYTES;
    const wordBytes = Math.min(8, statistics.alignmentBytes);
    const words = { [`word${wordBytes}`]: packedBytes / wordBytes };
    // Without words of 4 bytes, a block is moved by itself.
    const inWords = wordBytes >= 4 ? { block: blocks, ...words } : { oddBlock: blocks, oddByte: packedBytes };
    return {
      call: 1,
      group: groups,
      level: statistics.blockCount === 1 ? 0 : groups * statistics.depth,
      tableBlock: statistics.tableBlocks * count,
      raggedBlock: statistics.raggedBlocks * count,
      ...(isLong ? { longBlock: blocks, longByte: packedBytes } : inWords),
    };
  },
  traffic: memoryTraffic,
  commit(layout) {
    const { nodes, members, tableEntries, lengthEntries } = layoutStatistics(layout);
    return {
      commit: 1,
      commitNode: nodes + members,
      commitTableEntry: tableEntries,
      commitLengthEntry: lengthEntries,
    };
  },
};

/** The same with long blocks as long as words are moved one by one, which takes them longer than a few bytes more. */
const LONGEST_IN_WORDS: CostModel = {
  ...CPU_COSTS,
  run: (walk, conditions) => CPU_COSTS.run(walk.meanBytes < LONG_BYTES ? walk : shortened(walk), conditions),
};

const shortened = (walk: Walk): Walk => ({
  ...walk,
  meanBytes: LONG_BYTES - 1,
  packedBytes: walk.blocks * (LONG_BYTES - 1),
});

/** The greater of the two, so that no prediction falls where blocks that touch grow long. */
export function predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
  const predicted = predictBy(CPU_COSTS, moves, conditions, profile);
  const { runNs } = predictBy(LONGEST_IN_WORDS, moves, conditions, profile);
  return { ...predicted, runNs: Math.max(predicted.runNs, runNs) };
}
