import {
  figuresOf,
  isTabled,
  packMove,
  predictBy,
  type Conditions,
  type CostModel,
  type Move,
  type Prediction,
  type Profile,
} from "@stowage/backend-api";
import { copiesPerElement, placedRunsOf } from "./copies.js";

/** What every GPU so far says of its copies; the device itself is not asked here. */
const MAX_PITCH_BYTES = 2 ** 31 - 1;

/** The cost model of the copy engines: calls of the driver, rows that the engines move one by one, and bytes. */
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

/** Copies to and from the host that are no rows of one take twice as long: results/h100/pages-host.json. */
const PLACED_ON_BUS = 2;

/**
 * A launch of moves without tables as their layouts say. Elements that tables place share no copy: each run of each is
 * one.
 */
export function predictDma(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
  const predicted = predictBy(DMA_COSTS, moves, conditions, profile);
  const placed = moves.filter(isTabled);
  if (placed.length === 0) return predicted;
  const { sourceKind, targetKind } = conditions;
  const figure = figuresOf(
    profile,
    DMA_COSTS.section,
    DMA_COSTS.mode(sourceKind === "device" ? "pack" : "unpack", conditions),
  );
  const isOnBus = sourceKind !== "device" || targetKind !== "device";
  const copyNs = figure("copy") * (isOnBus ? PLACED_ON_BUS : 1);
  const count = conditions.count === "any" ? 1 : conditions.count;
  const rest = moves.filter((move) => !isTabled(move));
  const restNs = rest.length === 0 ? figure("call") : predictBy(DMA_COSTS, rest, conditions, profile).runNs;
  const placedNs = placed.map(
    (move) => count * (placedRunsOf(move) * copyNs + move.source.sizeBytes * figure("packedByte")),
  );
  return {
    ...predicted,
    runNs: Math.max(
      1,
      placedNs.reduce((sum, each) => sum + each, restNs),
    ),
  };
}
