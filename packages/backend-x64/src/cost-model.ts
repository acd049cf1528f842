import {
  memoryTraffic,
  predictBy,
  type Amounts,
  type Conditions,
  type CostModel,
  type Move,
  type Prediction,
  type Profile,
  type Walk,
} from "@stowage/backend-api";
import { layoutStatistics } from "@stowage/ir";
import { conflictsInOneSet, LINE_BYTES } from "./loops/facts/cache.js";
import { DEFAULT_TUNING } from "./options.js";
import { NAME } from "./payload.js";
import { unknown } from "./targets/unknown.js";
import { sharedCommitNs, sharedNs } from "./threads/shared-time.js";
import { ZMM_BYTES } from "./widths.js";

/**
 * The cost model of the machine code on one thread: loops over blocks by vector moves, and the lines and pages that
 * they touch.
 */
export const X64_COSTS: CostModel = {
  section: NAME,
  mode: (direction) => direction,
  run: instructions,
  traffic: memoryTraffic,
  commit(layout) {
    const { nodes, members, tableEntries, lengthEntries, blockCount } = layoutStatistics(layout);
    return {
      commit: 1,
      commitNode: nodes + members,
      commitTableEntry: tableEntries,
      commitLengthEntry: lengthEntries,
      commitBlock: Math.min(blockCount, DEFAULT_TUNING.unrollMoves),
    };
  },
};

function instructions(walk: Walk): Amounts {
  const { statistics, count, blocks, meanBytes, packedBytes } = walk;
  const tableBlocks = statistics.tableBlocks * count;
  const raggedBlocks = statistics.raggedBlocks * count;
  const streamed = Math.max(0, blocks - tableBlocks);
  const strideBytes = statistics.leastStrideBytes || Math.abs(statistics.extentBytes);
  // Those in one line are moved several at a time.
  const near = strideBytes <= LINE_BYTES ? streamed : 0;
  return {
    call: 1,
    group: walk.groups,
    nearBlock: near,
    farBlock: streamed - near,
    tableBlock: tableBlocks - raggedBlocks,
    raggedBlock: raggedBlocks,
    // A power of two is one move, any other length two that overlap.
    oddBlock: isPower(meanBytes) || meanBytes % ZMM_BYTES === 0 ? 0 : blocks - raggedBlocks,
    vector: packedBytes / ZMM_BYTES,
    conflict: conflictsInOneSet(unknown.geometry.l1d, strideBytes) ? walk.lines : 0,
  };
}

const isPower = (bytes: number): boolean => Number.isInteger(Math.log2(bytes));

export function predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
  const alone = predictBy(X64_COSTS, moves, conditions, profile);
  const { threads } = conditions;
  if (threads === 1) return alone;
  // The lesser of the two never falls as either grows.
  return {
    ...alone,
    commitNs: sharedCommitNs(alone.commitNs, profile),
    runNs: Math.min(alone.runNs, sharedNs(alone.runNs, threads, profile)),
  };
}

/** What one thread takes of a call. */
export const aloneNs = (moves: readonly Move[], conditions: Conditions, profile: Profile): number =>
  predictBy(X64_COSTS, moves, conditions, profile).runNs;
