import {
  directionOf,
  predictBy,
  requireMoves,
  type Conditions,
  type CostModel,
  type Move,
  type Prediction,
  type Profile,
} from "@stowage/backend-api";
import { layoutStatistics } from "@stowage/ir";
import { NAME } from "./payload.js";

/** Whether a kernel takes any layout, or has some built in. */
export type Tier = "generic" | "specialised";

/** Multiprocessors that fill the memory's bandwidth, and the bus's; with fewer, each moves as much as it can. */
const [FILLING_MULTIPROCESSORS, FILLING_BUS] = [64, 4];

/**
 * The cost model of the kernel: a launch, the sectors of the scattered side, words, and the searches for each word's
 * block. Where both sides are scattered (`bothScattered`), bytes pass the bus at the sides that are not a device's
 * alone.
 */
export const genericCosts = (tier: Tier, bothScattered = false): CostModel => ({
  section: tier === "generic" ? NAME : `${NAME}-specialised`,
  mode(direction, { sourceKind, targetKind }) {
    const kinds = bothScattered ? [direction === "pack" ? sourceKind : targetKind] : [sourceKind, targetKind];
    return `${direction}.${kinds.every((kind) => kind === "device") ? "device" : "bus"}`;
  },
  run({ statistics, sectors, packedBytes }, { sourceKind, targetKind, smBudget = FILLING_MULTIPROCESSORS }) {
    const wordBytes = Math.min(16, statistics.alignmentBytes);
    const isOnDevice = sourceKind === "device" && targetKind === "device";
    const slowdown = Math.max(1, (isOnDevice ? FILLING_MULTIPROCESSORS : FILLING_BUS) / smBudget);
    const words = packedBytes / wordBytes;
    return {
      call: 1,
      sector: sectors * slowdown,
      packedByte: packedBytes * slowdown,
      word: words * slowdown,
      search: words * Math.log2(1 + statistics.tableEntries + statistics.members) * slowdown,
      level: words * statistics.depth * slowdown,
    };
  },
  commit(layout) {
    const { nodes, members, tableEntries } = layoutStatistics(layout);
    return { commit: 1, commitNode: nodes + members, commitTableEntry: tableEntries };
  },
});

export const predict = (
  moves: readonly Move[],
  conditions: Conditions,
  profile: Profile,
  tier: Tier = "generic",
): Prediction => {
  const bothScattered = requireMoves(moves).every((move) => directionOf(move) === "copy");
  return predictBy(genericCosts(tier, bothScattered), moves, conditions, profile);
};
