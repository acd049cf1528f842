import { packMove, unpackMove, type Profile } from "@stowage/backend-api";
import { sharedNs } from "@stowage/backend-x64";
import { modeOf, type ResultRow } from "@stowage/bench";
import type { DeviceRoute } from "@stowage/bench/device";
import type { Layout } from "@stowage/ir";
import { conditionsOf, type MeasuredBackend } from "../calibrate/candidates.js";

/** Uses that a commit is shared among. */
export const USES = [1, 10, 1e3, 1e6] as const;

/** What one way was predicted to take of a cell in one mode, and what it took. */
export interface PredictedRow {
  readonly row: ResultRow;
  readonly runNs: number;
  readonly commitNs: number;
}

/** One choice: of a cell, in one mode, for so many uses. */
export interface RegretRow {
  readonly workload: string;
  readonly packedBytes: number;
  readonly direction: string;
  readonly route: string;
  readonly mode: string;
  readonly uses: number;
  readonly chosen: string;
  readonly best: string;
  /** Time of the choice over time of the best, commit included; 1 where they differ by less than they vary. */
  readonly regret: number;
  /** The same of the fixed list that there was before: x64 on one thread, or cuda-generic. */
  readonly listRegret: number;
  /** Time that counting uses takes, from what compiles soonest on, over the best that knew their number. */
  readonly tieringRegret: number;
}

export function predicted(
  rows: readonly ResultRow[],
  candidates: readonly MeasuredBackend[],
  layout: Layout,
  route: "host" | DeviceRoute,
  profile: Profile,
): readonly PredictedRow[] {
  return rows.flatMap((row) => {
    const candidate = candidates.find(({ name }) => name === row.contender);
    if (candidate === undefined || row.direction === "copy") return [];
    const move = row.direction === "pack" ? packMove(layout) : unpackMove(layout);
    const given = { ...conditionsOf({ direction: row.direction, count: row.count }, route), threads: 1 };
    const alone = candidate.backend.predict?.([move], given, profile) ?? { commitNs: 1, runNs: 1 };
    const mode = modeOf(row) === "bound" ? "bound" : "call";
    const shared = candidate.threads === 1 ? alone.runNs : sharedNs(alone.runNs, candidate.threads, profile, mode);
    return [{ row, runNs: shared, commitNs: alone.commitNs }];
  });
}

const LISTED = ["x64", "cuda-generic", "cpu"];

/** Choices of one cell in one mode: rows of the same workload, size, direction, route and mode. */
export function regretsOf(ways: readonly PredictedRow[]): readonly RegretRow[] {
  const [first] = ways;
  if (first === undefined || ways.length < 2) return [];
  const listed = ways.find(({ row }) => LISTED.includes(row.contender) && row.contender !== "cpu") ?? first;
  return USES.map((uses) => {
    const foretold = (way: PredictedRow): number => way.commitNs + uses * way.runNs;
    const took = ({ row }: PredictedRow): number => row.commitNs + uses * row.medianNs;
    const chosen = leastOf(ways, foretold);
    const best = leastOf(ways, took);
    const { workload, packedBytes, direction, route, mode = "bound" } = first.row;
    return {
      ...{ workload, packedBytes, direction, route, mode, uses },
      chosen: chosen.row.contender,
      best: best.row.contender,
      regret: ratioOf(chosen, best, took, uses),
      listRegret: ratioOf(listed, best, took, uses),
      tieringRegret: tieredNs(ways, uses) / took(best),
    };
  });
}

const leastOf = (ways: readonly PredictedRow[], of: (way: PredictedRow) => number): PredictedRow =>
  ways.reduce((least, way) => (of(way) < of(least) ? way : least));

/** 1 where the medians are nearer to each other than each is to its own least. */
function ratioOf(chosen: PredictedRow, best: PredictedRow, took: (way: PredictedRow) => number, uses: number): number {
  const spread = uses * (spreadOf(chosen) + spreadOf(best));
  return took(chosen) - took(best) <= spread ? 1 : took(chosen) / took(best);
}

const spreadOf = ({ row }: PredictedRow): number => row.medianNs - row.minNs;

/** Calls counted: the next is compiled once those before it would have saved what it takes. */
function tieredNs(ways: readonly PredictedRow[], uses: number): number {
  const begin = leastOf(ways, ({ commitNs, runNs }) => commitNs + runNs);
  const end = leastOf(ways, ({ runNs }) => runNs);
  const saved = begin.runNs - end.runNs;
  const alone = begin.row.commitNs + uses * begin.row.medianNs;
  if (begin === end || saved <= 0) return alone;
  const before = Math.ceil(end.commitNs / saved);
  if (before >= uses) return alone;
  return begin.row.commitNs + before * begin.row.medianNs + end.row.commitNs + (uses - before) * end.row.medianNs;
}
