import {
  predictBy,
  type Conditions,
  type CostModel,
  type Move,
  type Prediction,
  type Profile,
} from "@stowage/backend-api";
import { boxOf, type Layout } from "@stowage/ir";
import { alongDimension } from "./transpose.js";

/** Multiprocessors that fill the memory's bandwidth, and the bus's; with fewer, each moves as much as it can. */
const [FILLING_MULTIPROCESSORS, FILLING_BUS] = [64, 4];
const WIDEST_WORD_BYTES = 16;

/**
 * The cost model of the kernels: a launch, the sectors of the scattered side, and words; for a transpose the sectors of
 * tiles (TEMPI, sections 3.4 and 5).
 */
export const STRIDED_COSTS: CostModel = {
  section: "cuda-strided",
  mode: (direction, { sourceKind, targetKind }) =>
    `${direction}.${sourceKind === "device" && targetKind === "device" ? "device" : "bus"}`,
  run({ layout, statistics, sectors, packedBytes }, { sourceKind, targetKind, smBudget = FILLING_MULTIPROCESSORS }) {
    const isOnDevice = sourceKind === "device" && targetKind === "device";
    const slowdown = Math.max(1, (isOnDevice ? FILLING_MULTIPROCESSORS : FILLING_BUS) / smBudget);
    const words = packedBytes / Math.min(WIDEST_WORD_BYTES, statistics.alignmentBytes);
    const tiled = isTiled(layout);
    return {
      call: 1,
      [tiled ? "tileSector" : "sector"]: sectors * slowdown,
      packedByte: packedBytes * slowdown,
      word: words * slowdown,
      dimension: words * Math.max(0, statistics.depth) * slowdown,
    };
  },
  commit: () => ({ commit: 1 }),
};

function isTiled(layout: Layout): boolean {
  const box = boxOf(layout);
  return box !== undefined && box.rowBytes > 0 && alongDimension(box, box.rowBytes) !== undefined;
}

export const predictStrided = (moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction =>
  predictBy(STRIDED_COSTS, moves, conditions, profile);
