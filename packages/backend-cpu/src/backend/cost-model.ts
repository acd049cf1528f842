import {
  memoryTraffic,
  predictBy,
  type Conditions,
  type CostModel,
  type Move,
  type Prediction,
  type Profile,
} from "@stowage/backend-api";
import { layoutStatistics } from "@stowage/ir";
import { LONG_BYTES } from "../machine/transfer.js";

/**
 * The cost model of the interpreter: its inner loops over words, copies of long blocks, and the lines and pages that
 * they touch.
 */
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
  // Elements that touch are one block, which grows long with their number: then it is copied, faster than its last
  // words were moved.
  runAtLeast(walk, conditions) {
    const { isOneRun, sizeBytes } = walk.statistics;
    if (!isOneRun || sizeBytes >= LONG_BYTES || walk.meanBytes < LONG_BYTES) return undefined;
    return CPU_COSTS.run({ ...walk, meanBytes: LONG_BYTES - 1, packedBytes: LONG_BYTES - 1 }, conditions);
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

export const predict = (moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction =>
  predictBy(CPU_COSTS, moves, conditions, profile);
