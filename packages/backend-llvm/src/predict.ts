import {
  directionOf,
  scatteredLayout,
  type Conditions,
  type Move,
  type Prediction,
  type Profile,
} from "@stowage/backend-api";
import { nodeStatistics, type LayoutNode } from "@stowage/ir";
import { NAME } from "./payload.js";

/** Measured on an AMD EPYC at 3.3 GHz (docs/llvm.md); a profile may name others. */
const DEFAULTS = {
  callNs: 30,
  nsPerMove: 0.35,
  nsPerByteInCache: 0.016,
  nsPerByteInMemory: 0.1,
  cacheBytes: 4 * 1024 * 1024,
  commitNs: 10_000_000,
  commitNsPerNode: 1_000_000,
  commitNsPerTableEntry: 1000,
} as const;

const LINE_BYTES = 64;
const MOST_MOVED_BYTES = 32;

export function predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
  const figure = (name: keyof typeof DEFAULTS): number => profile.figures[NAME]?.[name] ?? DEFAULTS[name];
  const count = conditions.count === "any" ? 1 : conditions.count;
  let runNs = figure("callNs");
  let commitNs = figure("commitNs");
  for (const move of moves) {
    for (const root of directionOf(move) === "copy"
      ? [move.source.root, move.target.root]
      : [scatteredLayout(move).root]) {
      runNs += count * elementNs(root, count, figure);
      const { nodes, members, tableEntries } = nodeStatistics(root);
      commitNs += (nodes + members) * figure("commitNsPerNode") + tableEntries * figure("commitNsPerTableEntry");
    }
  }
  return { commitNs, runNs };
}

/** One element: its blocks' moves, and its bytes as the cache or memory delivers them. */
function elementNs(root: LayoutNode, count: number, figure: (name: keyof typeof DEFAULTS) => number): number {
  const { blockCount, sizeBytes, highBytes, lowBytes } = root;
  const touched = Math.max(sizeBytes, Math.min(highBytes - lowBytes, blockCount * LINE_BYTES));
  const isInMemory = touched * count > figure("cacheBytes");
  const moves = Math.max(blockCount, sizeBytes / MOST_MOVED_BYTES) * figure("nsPerMove");
  return moves + touched * figure(isInMemory ? "nsPerByteInMemory" : "nsPerByteInCache");
}
