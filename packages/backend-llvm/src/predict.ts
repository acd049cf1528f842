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
import { nodeStatistics } from "@stowage/ir";

const VECTOR_BYTES = 64;
const WAY_BYTES = 4096;

/** Over DDTBench to 1 MiB (docs/design/llvm.md). */
const SPEED_OF_X64 = 0.967;
/** LLVM's own time on an AMD EPYC: parsing, selecting and scheduling, and the text of tables. */
const [COMMIT_NS, COMMIT_NS_A_NODE, COMMIT_NS_AN_ENTRY] = [10_000_000, 2_000_000, 1000];

/**
 * The loops are those that x64 has, so what a profile measured of x64 says what a machine makes of them. Every block
 * counts as one far from the next: never less than x64 predicts of its own.
 */
const LOOP_COSTS: CostModel = {
  section: "x64",
  mode: (direction) => direction,
  run: loops,
  traffic: memoryTraffic,
  commit: () => ({}),
};

function loops({ statistics, count, blocks, packedBytes, groups, lines }: Walk): Amounts {
  const [table, ragged] = [statistics.tableBlocks * count, statistics.raggedBlocks * count];
  const strideBytes = statistics.leastStrideBytes || Math.abs(statistics.extentBytes);
  return {
    call: 1,
    group: groups,
    farBlock: Math.max(0, blocks - table),
    tableBlock: table - ragged,
    raggedBlock: ragged,
    oddBlock: blocks - ragged,
    vector: packedBytes / VECTOR_BYTES,
    conflict: strideBytes > 0 && strideBytes % WAY_BYTES === 0 ? lines : 0,
  };
}

export function predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
  const asX64 = predictBy(LOOP_COSTS, moves, conditions, profile);
  let commitNs = COMMIT_NS;
  for (const { root } of moves.flatMap(({ source, target }) => [source, target])) {
    const { nodes, members, tableEntries } = nodeStatistics(root);
    commitNs += (nodes + members) * COMMIT_NS_A_NODE + tableEntries * COMMIT_NS_AN_ENTRY;
  }
  return { ...asX64, commitNs, runNs: asX64.runNs / SPEED_OF_X64 };
}
