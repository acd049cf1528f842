import { modeOf } from "@stowage/bench";
import type { PredictedRow } from "./predicted-row.js";
import { tieredTime, type TierUses } from "./tiering.js";

/** Uses that a commit is shared among. */
export const USES = [1, 10, 1e3, 1e6] as const;

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
  /**
   * Time of what the fixed list of old would choose over time of the best; 1 where they differ by less than they vary.
   */
  readonly listRegret: number;
  /** Time of the choice over that of the list's; 1 where they differ by less than they vary. */
  readonly overList: number;
  /** Time that counting uses takes, from what compiles soonest on, over the best that knew their number; 1 as above. */
  readonly tieringRegret: number;
}

/** Choices of one cell in one mode: rows of the same workload, size, direction, route and mode. */
export function regretsOf(
  ways: readonly PredictedRow[],
  list: readonly string[],
  tiers: readonly TierUses[],
): readonly RegretRow[] {
  const [first] = ways;
  if (first === undefined || ways.length < 2) return [];
  const byList = list.map((name) => ways.find(({ row }) => row.contender === name));
  const listed = byList.find((way) => way !== undefined) ?? first;
  return USES.map((uses) => {
    const chosen = leastOf(ways, (way) => way.commitNs + uses * way.runNs);
    const best = leastOf(ways, (way) => took(way, uses));
    const { workload, packedBytes, direction, route } = first.row;
    return {
      ...{ workload, packedBytes, direction, route, mode: modeOf(first.row), uses },
      chosen: chosen.row.contender,
      best: best.row.contender,
      regret: ratioOf(chosen, best, uses),
      listRegret: ratioOf(listed, best, uses),
      overList: ratioOf(chosen, listed, uses),
      tieringRegret: tieringRegret(ways, tiers, uses),
    };
  });
}

const leastOf = (ways: readonly PredictedRow[], of: (way: PredictedRow) => number): PredictedRow =>
  ways.reduce((least, way) => (of(way) < of(least) ? way : least));

const took = ({ row }: PredictedRow, uses: number): number => row.commitNs + uses * row.medianNs;

/** 1 where the medians are nearer to each other than each is to its own least. */
function ratioOf(way: PredictedRow, other: PredictedRow, uses: number): number {
  const difference = Math.abs(took(way, uses) - took(other, uses));
  return difference <= spreadOf(way, uses) + spreadOf(other, uses) ? 1 : took(way, uses) / took(other, uses);
}

const spreadOf = ({ row }: PredictedRow, uses: number): number =>
  row.commitNs - (row.commitMinNs ?? row.commitNs) + uses * (row.medianNs - row.minNs);

function tieringRegret(ways: readonly PredictedRow[], tiers: readonly TierUses[], uses: number): number {
  // Tiers are those of one thread.
  const alone = ways.filter(({ row }) => !row.contender.includes("threads"));
  const best = leastOf(alone, (way) => took(way, uses));
  const tiered = tieredTime(
    tiers,
    alone.map(({ row }) => row),
    uses,
  );
  if (tiered === undefined) return NaN;
  return Math.abs(tiered.ns - took(best, uses)) <= 2 * spreadOf(best, uses) ? 1 : tiered.ns / took(best, uses);
}
