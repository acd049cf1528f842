/** One measured place. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** y = base + slope x. */
export interface Line {
  readonly base: number;
  readonly slope: number;
}

export const valueAt = ({ base, slope }: Line, x: number): number => base + slope * x;

/**
 * The line of least relative squares: the sum of ((base + slope x - y) / y)^2 is least, so that a microsecond in a
 * hundred weighs as much as ten nanoseconds in one. Neither base nor slope is below 0: no overhead pays back.
 */
export function fitLine(places: readonly Place[]): Line {
  const sums = { w: 0, x: 0, y: 0, xx: 0, xy: 0 };
  for (const { x, y } of places) {
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
