import {
  directionOf,
  scatteredLayout,
  type Conditions,
  type Move,
  type Prediction,
  type Profile,
} from "@stowage/backend-api";
import type { LayoutNode } from "@stowage/ir";
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
      runNs += count * (sectorsOf(root) * figure("nsPerSector") + root.sizeBytes * perPackedByte);
      runNs += (count * root.sizeBytes * figure("nsPerWord")) / 8;
      commitNs += root.blockCount === 1 ? 0 : entriesOf(root) * figure("commitNsPerTableEntry");
    }
  }
  return { commitNs, runNs };
}

/** Sectors that the blocks of one element touch: each its bytes, and half a sector more at either end. */
const sectorsOf = ({ sizeBytes, blockCount, lowBytes, highBytes }: LayoutNode): number =>
  Math.min(Math.ceil((highBytes - lowBytes) / SECTOR_BYTES) + 1, sizeBytes / SECTOR_BYTES + blockCount);

function entriesOf(root: LayoutNode): number {
  const seen = new Set<LayoutNode>([root]);
  let entries = 0;
  for (const node of seen) {
    if (node.kind === "sequence") for (const member of node.members) seen.add(member.node);
    if (node.kind === "stream" || node.kind === "blocks") seen.add(node.child);
    if (node.kind === "blocks") entries += node.displacementsBytes.length;
  }
  return entries;
}
