/** One equation: the sum of coefficient × unknown should be `value`, relative to it. */
export interface Equation {
  readonly coefficients: Readonly<Record<string, number>>;
  readonly value: number;
  /** What of the value is explained already. */
  readonly known?: number;
}

export interface Solution {
  readonly unknowns: Readonly<Record<string, number>>;
  /** Relative error of the equations, root of the mean square. */
  readonly relativeError: number;
}

const SWEEPS = 3000;
const REWEIGHTINGS = 4;
/**
 * Equations that are further off than so many typical errors weigh less: the machine did something else meanwhile.
 * Huber.
 */
const OUTLIER = 1.5;

/**
 * Unknowns of 0 or more that make the relative errors of some equations least, by coordinate descent; outliers weigh
 * less. What no equation has is left out.
 */
export function solve(equations: readonly Equation[]): Solution {
  const names = [...new Set(equations.flatMap(({ coefficients }) => Object.keys(coefficients)))].filter((name) =>
    equations.some(({ coefficients }) => (coefficients[name] ?? 0) > 0),
  );
  const rows = equations.map(({ coefficients, value }) => names.map((name) => (coefficients[name] ?? 0) / value));
  const rests = equations.map(({ value, known = 0 }) => 1 - known / value);
  let weights = rows.map(() => 1);
  let found = names.map(() => 0);
  for (let round = 0; round < REWEIGHTINGS; round++) {
    found = descend(rows, rests, weights, found);
    weights = weightsOf(errorsOf(rows, rests, found));
  }
  const errors = errorsOf(rows, rests, found);
  return {
    unknowns: Object.fromEntries(names.map((name, i) => [name, found[i] as number])),
    relativeError: Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / Math.max(1, errors.length)),
  };
}

const errorsOf = (
  rows: readonly (readonly number[])[],
  rests: readonly number[],
  found: readonly number[],
): readonly number[] =>
  rows.map((row, k) => row.reduce((sum, part, i) => sum + part * (found[i] as number), 0) - (rests[k] as number));

function weightsOf(errors: readonly number[]): number[] {
  const sorted = errors.map(Math.abs).sort((a, b) => a - b);
  const typical = Math.max(0.01, sorted[Math.floor(sorted.length / 2)] ?? 0.01);
  return errors.map((error) => Math.min(1, (OUTLIER * typical) / Math.max(Math.abs(error), 1e-9)));
}

/** Each unknown in turn takes its best value beside the others, and at least 0. */
function descend(
  rows: readonly (readonly number[])[],
  rests: readonly number[],
  weights: readonly number[],
  start: readonly number[],
): number[] {
  const size = start.length;
  const found = [...start];
  const dot = (i: number, j: number): number =>
    rows.reduce((sum, row, k) => sum + (weights[k] as number) * (row[i] as number) * (row[j] as number), 0);
  const products = found.map((_, i) => found.map((_, j) => dot(i, j)));
  const aims = found.map((_, i) =>
    rows.reduce((sum, row, k) => sum + (weights[k] as number) * (rests[k] as number) * (row[i] as number), 0),
  );
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let i = 0; i < size; i++) {
      const own = products[i]?.[i] as number;
      let rest = aims[i] as number;
      for (let j = 0; j < size; j++) if (j !== i) rest -= (products[i]?.[j] as number) * (found[j] as number);
      found[i] = Math.max(0, rest / own);
    }
  }
  return found;
}
