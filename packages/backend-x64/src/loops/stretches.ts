/** Stretches of a dimension that are covered by steps of one length. */
export interface Stretch {
  readonly at: number;
  readonly step: number;
  /** Steps that are written out together. */
  readonly group: number;
  /** Groups, one after another. */
  readonly rounds: number;
}

/**
 * Covers [0, count) by steps of the lengths given, longest first; the last step overlaps the one before it where it
 * would reach past the end. What is shorter than every step stays uncovered.
 */
export function stretchesOf(count: number, steps: readonly number[], longestGroup: number): readonly Stretch[] {
  const step = steps.find((each) => each <= count);
  if (step === undefined) return [];
  const whole = Math.floor(count / step);
  const group = Math.max(1, Math.min(whole, Math.floor(longestGroup / step)));
  const rounds = Math.floor(whole / group);
  const stretches: Stretch[] = [{ at: 0, step, group, rounds }];
  const grouped = rounds * group;
  if (grouped < whole) stretches.push({ at: grouped * step, step, group: whole - grouped, rounds: 1 });
  if (whole * step < count) stretches.push({ at: count - step, step, group: 1, rounds: 1 });
  return stretches;
}
