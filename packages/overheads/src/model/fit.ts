/** One measured point. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** y = base + slope x. */
export interface Line {
  readonly base: number;
  readonly slope: number;
}

/** The value of a line at x. */
export const valueAt = ({ base, slope }: Line, x: number): number => base + slope * x;

/**
 * The line of least relative squares: the sum of ((base + slope x - y) / y)^2 is least, so that a microsecond in a
 * hundred weighs as much as ten nanoseconds in one. Neither base nor slope is below 0: no overhead pays back.
 */
export function fitLine(points: readonly Point[]): Line {
  const sums = { w: 0, x: 0, y: 0, xx: 0, xy: 0 };
  for (const { x, y } of points) {
    const weight = 1 / (y * y);
    sums.w += weight;
    sums.x += weight * x;
    sums.y += weight * y;
    sums.xx += weight * x * x;
    sums.xy += weight * x * y;
  }
  const determinant = sums.w * sums.xx - sums.x * sums.x;
  const flat: Line = { base: sums.y / sums.w, slope: 0 };
  if (determinant <= Number.EPSILON * sums.w * sums.xx) return flat;
  const slope = (sums.w * sums.xy - sums.x * sums.y) / determinant;
  const base = (sums.y - slope * sums.x) / sums.w;
  if (slope < 0) return flat;
  return base < 0 ? { base: 0, slope: sums.xy / sums.xx } : { base, slope };
}

/** The line of a known slope that fits the points best. */
export function fitBase(points: readonly Point[], slope: number): Line {
  let [weights, weighted] = [0, 0];
  for (const { x, y } of points) {
    weights += 1 / (y * y);
    weighted += (y - slope * x) / (y * y);
  }
  return { base: Math.max(0, weighted / weights), slope };
}

/** The sum that `fitLine` makes least. */
export const misfit = (line: Line, points: readonly Point[]): number =>
  points.reduce((sum, { x, y }) => sum + ((valueAt(line, x) - y) / y) ** 2, 0);

/**
 * The value at x of the straight lines through all points; past the last point the last line goes on, and never falls.
 * Points ascend by x, and are at least one.
 */
export function interpolate(points: readonly Point[], x: number): number {
  const next = points.findIndex((point) => point.x >= x);
  const at = next < 0 ? points.length - 1 : Math.max(1, next);
  const [before, after] = [points[at - 1], points[at]];
  if (before === undefined || after === undefined) return (points[0] as Point).y;
  const slope = (after.y - before.y) / (after.x - before.x);
  return x < before.x ? before.y : before.y + (next < 0 ? Math.max(0, slope) : slope) * (x - before.x);
}

/** The median, of an even number the mean of the two in the middle; undefined where there are no values. */
export function median(values: readonly number[] | undefined): number | undefined {
  if (values === undefined || values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low as number) + (high as number)) / 2;
}
