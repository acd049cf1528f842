import {
  packMove,
  predictBy,
  type Conditions,
  type CostModel,
  type Move,
  type Prediction,
  type Profile,
} from "@stowage/backend-api";
import { copiesPerElement } from "./copies.js";

/** What every GPU so far says of its copies; the device itself is not asked here. */
const MAX_PITCH_BYTES = 2 ** 31 - 1;

/** Calls of the driver, rows that the copy engines move one by one, and bytes; never a multiprocessor. */
export const DMA_COSTS: CostModel = {
  section: "dma",
  mode: (direction, { sourceKind, targetKind }) =>
    `${direction}.${sourceKind === "device" && targetKind === "device" ? "device" : "bus"}`,
  run({ layout, statistics, count, packedBytes, blocks }) {
    const perElement = copiesPerElement(packMove(layout), MAX_PITCH_BYTES);
    return {
      call: 1,
      // Elements of one block each are the rows of one copy.
      copy: statistics.blockCount === 1 ? perElement : perElement * count,
      row: blocks,
      packedByte: packedBytes,
    };
  },
  commit: () => ({ commit: 1 }),
};

export const predictDma = (moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction =>
  predictBy(DMA_COSTS, moves, conditions, profile);
