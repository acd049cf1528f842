import type { ProfileDocument } from "@stowage/backend-api";

/** A figure that two profiles differ in; absent where one has none. */
export interface FigureDifference {
  readonly section: string;
  readonly name: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** Figures that differ by more than `relative`, the greatest ratio first. */
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
