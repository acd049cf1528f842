import { cellKey, type ResultRow } from "@stowage/bench";

/** One contender over another, on every cell that both measured. */
export interface SpeedUp {
  readonly contender: string;
  readonly against: string;
  readonly direction: ResultRow["direction"];
  readonly cells: number;
  readonly geometricMean: number;
  readonly least: { readonly workload: string; readonly packedBytes: number; readonly ratio: number };
}

export interface Summary {
  readonly speedUps: readonly SpeedUp[];
  readonly rows: readonly ResultRow[];
}

const BASELINE = "memcpy";

/** The contender that others are measured by where nobody says which: plain copies, or the first that has rows. */
export function baselineOf(rows: readonly ResultRow[]): string {
  const hasCopies = rows.some(({ contender }) => contender === BASELINE);
  return hasCopies ? BASELINE : (rows[0]?.contender ?? BASELINE);
}

/** What the cells of some result files have in common: every contender's speed-up over `against`. */
export function summarise(rows: readonly ResultRow[], against: string): Summary {
  const known = new Set(rows.map(({ contender }) => contender));
  if (!known.has(against)) {
    throw new Error(`--against: expected one of ${[...known].join(", ")}, got ${against}`);
  }
  const others = [...known].filter((contender) => contender !== against);
  const directions = [...new Set(rows.map(({ direction }) => direction))];
  const speedUps = others.flatMap((contender) =>
    directions.flatMap((direction) => speedUp(rows, contender, against, direction) ?? []),
  );
  return { speedUps, rows };
}

function speedUp(
  rows: readonly ResultRow[],
  contender: string,
  against: string,
  direction: ResultRow["direction"],
): SpeedUp | undefined {
  const theirs = new Map(rows.filter((row) => row.contender === against).map((row) => [cellKey(row), row]));
  const ratios = rows
    .filter((row) => row.contender === contender && row.direction === direction)
    .flatMap((row) => {
      const other = theirs.get(cellKey(row));
      return other === undefined ? [] : [{ ...row, ratio: other.medianNs / row.medianNs }];
    });
  const [first, ...rest] = ratios;
  if (first === undefined) return undefined;
  const least = rest.reduce((worst, row) => (row.ratio < worst.ratio ? row : worst), first);
  return {
    contender,
    against,
    direction,
    cells: ratios.length,
    geometricMean: Math.exp(ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length),
    least: { workload: least.workload, packedBytes: least.packedBytes, ratio: least.ratio },
  };
}
