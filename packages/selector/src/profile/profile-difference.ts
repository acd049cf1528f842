import type { ProfileDocument } from "@stowage/backend-api";

/**
 * A figure that two profiles differ in; it is undefined where one has none. Its unit is that of the section's model.
 */
export interface FigureDifference {
  /** The section of the profile's `figures`, such as a backend's name. */
  readonly section: string;
  readonly name: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/**
 * Lists the figures whose greater value is over 1 + `relative` times the less (0.1: 10 %), the greatest ratio first.
 */
export function profileDifference(
  before: ProfileDocument,
  after: ProfileDocument,
  relative: number,
): readonly FigureDifference[] {
  const sections = new Set([...Object.keys(before.figures), ...Object.keys(after.figures)]);
  const differences = [...sections].flatMap((section) => {
    const [a, b] = [before.figures[section] ?? {}, after.figures[section] ?? {}];
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].map((name) => ({ section, name, before: a[name], after: b[name] }));
  });
  return differences.filter((each) => ratioOf(each) > 1 + relative).sort((a, b) => ratioOf(b) - ratioOf(a));
}

function ratioOf({ before, after }: FigureDifference): number {
  if (before === after) return 1;
  const [least, most] = [Math.min(before ?? 0, after ?? 0), Math.max(before ?? 0, after ?? 0)];
  return least === 0 ? Infinity : most / least;
}
