import {
  directionOf,
  scatteredLayout,
  type Conditions,
  type Move,
  type Prediction,
  type Profile,
} from "@stowage/backend-api";
import { nodeStatistics, touchedUnits } from "@stowage/ir";
import { NAME } from "./payload.js";

/** Measured on an H200 (docs/gpu-generic.md); a profile may name others. */
const DEFAULTS = {
  launchNs: 8500,
  nsPerSector: 0.0155,
  nsPerPackedByteOnDevice: 0.00024,
  nsPerPackedByteToHost: 0.0192,
  nsPerWord: 0.0016,
  commitNs: 40_000,
  commitNsPerTableEntry: 12,
} as const;

const SECTOR_BYTES = 32;

export function predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
  const figure = (name: keyof typeof DEFAULTS): number => profile.figures[NAME]?.[name] ?? DEFAULTS[name];
  const count = conditions.count === "any" ? 1 : conditions.count;
  const crosses = conditions.sourceKind !== "device" || conditions.targetKind !== "device";
  const perPackedByte = figure(crosses ? "nsPerPackedByteToHost" : "nsPerPackedByteOnDevice");
  let commitNs = figure("commitNs");
  let runNs = figure("launchNs");
  for (const move of moves) {
    const sides = directionOf(move) === "copy" ? [move.source.root, move.target.root] : [scatteredLayout(move).root];
    for (const root of sides) {
      runNs += count * (touchedUnits(root, SECTOR_BYTES) * figure("nsPerSector") + root.sizeBytes * perPackedByte);
      runNs += (count * root.sizeBytes * figure("nsPerWord")) / 8;
      commitNs += root.blockCount === 1 ? 0 : nodeStatistics(root).tableEntries * figure("commitNsPerTableEntry");
    }
  }
  return { commitNs, runNs };
}
