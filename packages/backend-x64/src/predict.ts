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

/** Measured on an AMD EPYC at 3.3 GHz (docs/x64.md); a profile may name others. */
const DEFAULTS = {
  callNs: 30,
  // To hand a launch to other threads and to wait for the last, and how much of a thread each of them is worth.
  shareNs: 20_000,
  workerWorth: 0.7,
  nsPerMove: 0.35,
  nsPerTableEntry: 0.5,
  nsPerByteInCache: 0.016,
  nsPerByteInMemory: 0.1,
  cacheBytes: 4 * 1024 * 1024,
  commitNs: 60_000,
  commitNsPerTableEntry: 15,
} as const;

type Figure = keyof typeof DEFAULTS;

/** Bytes of a cache line: the least memory traffic of a scattered block. */
const LINE_BYTES = 64;

export function predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
  const figure = (name: Figure): number => profile.figures[NAME]?.[name] ?? DEFAULTS[name];
  const count = conditions.count === "any" ? 1 : conditions.count;
  let moveNs = 0;
  let commitNs = figure("commitNs");
  for (const move of moves) {
    const sides = directionOf(move) === "copy" ? [move.source.root, move.target.root] : [scatteredLayout(move).root];
    for (const root of sides) {
      moveNs += count * elementNs(root, count, figure);
      commitNs += nodeStatistics(root).tableEntries * figure("commitNsPerTableEntry");
    }
  }
  // The lesser of the two never falls as either grows.
  const sharedNs = figure("shareNs") + moveNs / (1 + figure("workerWorth") * (conditions.threads - 1));
  return { commitNs, runNs: figure("callNs") + (conditions.threads > 1 ? Math.min(moveNs, sharedNs) : moveNs) };
}

/** One element: its blocks' moves, and its bytes as the cache or memory delivers them. */
function elementNs(root: LayoutNode, count: number, figure: (name: Figure) => number): number {
  const { blockCount, sizeBytes } = root;
  const touched = Math.max(sizeBytes, Math.min(root.highBytes - root.lowBytes, blockCount * LINE_BYTES));
  const inMemory = touched * count > figure("cacheBytes");
  const moves = Math.max(blockCount, sizeBytes / 32) * figure("nsPerMove");
  return moves + touched * figure(inMemory ? "nsPerByteInMemory" : "nsPerByteInCache");
}
