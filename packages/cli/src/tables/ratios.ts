import { cellKey, grouped, type ResultRow } from "@stowage/bench";

/** Contenders of a run by their part in it, as result rows name them. */
export interface Parts {
  readonly ours: readonly string[];
  readonly mpis: readonly string[];
  /** Plain C and memcpy. */
  readonly baselines: readonly string[];
}

export const BASELINES: readonly string[] = ["c-O3", "memcpy"];
export const isMpi = (contender: string): boolean => /^(openmpi|mpich)-/.test(contender);

/** Who takes which part, by the names of contenders; what moves a cell in fragments takes none. */
export function partsOf(rows: readonly ResultRow[]): Parts {
  const names = [...new Set(rows.map(({ contender }) => contender))].filter((name) => !name.includes("@"));
  return {
    ours: names.filter((name) => !isMpi(name) && !BASELINES.includes(name)),
    mpis: names.filter(isMpi),
    baselines: BASELINES.filter((name) => names.includes(name)),
  };
}

/** The better of all MPIs in each cell, as a contender to compare with. */
export const BETTER_MPI = "the better MPI";

/** How many times as fast one of ours was on one cell as another contender. */
export interface CellRatio {
  readonly cell: ResultRow;
  readonly against: string;
  readonly ratio: number;
}

/** Every cell of `ours` against every other contender that measured it, and against the better MPI. */
export function cellRatios(rows: readonly ResultRow[], ours: string, parts: Parts): readonly CellRatio[] {
  const byCell = grouped(rows, cellKey);
  return rows
    .filter(({ contender }) => contender === ours)
    .flatMap((cell) => {
      const others = byCell.get(cellKey(cell)) ?? [];
      return opponents(others, parts).map(({ against, ns }) => ({ cell, against, ratio: ns / cell.medianNs }));
    });
}

interface Opponent {
  readonly against: string;
  readonly ns: number;
}

function opponents(cell: readonly ResultRow[], { mpis, baselines }: Parts): readonly Opponent[] {
  const times = (names: readonly string[]): readonly Opponent[] =>
    cell
      .filter(({ contender }) => names.includes(contender))
      .map(({ contender, medianNs }) => ({ against: contender, ns: medianNs }));
  const ofMpis = times(mpis);
  const better = ofMpis.length === 0 ? [] : [{ against: BETTER_MPI, ns: Math.min(...ofMpis.map(({ ns }) => ns)) }];
  return [...better, ...ofMpis, ...times(baselines)];
}

/** The power of two that a packed size is nearest to: cells asked for at one size differ by what types can have. */
export const sizeClass = (packedBytes: number): number =>
  packedBytes === 0 ? 0 : 2 ** Math.round(Math.log2(packedBytes));
