import { loop, membersOf, type Loop, type Pair } from "./pair.js";

/** One dimension of a nest: its children and their strides. */
export type Dimension = Pick<Loop, "count" | "sourceBytes" | "targetBytes">;

/** Loops around a leaf, the first one outermost. */
export const nested = (dimensions: readonly Dimension[], leaf: Pair): Pair =>
  dimensions.reduceRight(
    (child, { count, sourceBytes, targetBytes }) => loop(count, sourceBytes, targetBytes, child),
    leaf,
  );

/** Dimensions of which one continues the other on both sides are one. */
export function merged(dimensions: readonly Dimension[]): readonly Dimension[] {
  for (const outer of dimensions) {
    const inner = dimensions.find(
      (each) =>
        each !== outer &&
        outer.sourceBytes === each.count * each.sourceBytes &&
        outer.targetBytes === each.count * each.targetBytes,
    );
    if (inner === undefined) continue;
    const one = { ...inner, count: outer.count * inner.count };
    return merged(dimensions.filter((each) => each !== outer).map((each) => (each === inner ? one : each)));
  }
  return dimensions;
}

export const without = (
  dimensions: readonly Dimension[],
  ...gone: readonly (Dimension | undefined)[]
): readonly Dimension[] => dimensions.filter((each) => !gone.includes(each));

const reachOf = ({ sourceBytes, targetBytes }: Dimension): number =>
  Math.max(Math.abs(sourceBytes), Math.abs(targetBytes));

/** The widest strides outermost. */
export const byReach = (dimensions: readonly Dimension[]): readonly Dimension[] =>
  dimensions.toSorted((a, b) => reachOf(b) - reachOf(a));

/** A dimension in blocks of so many, and one of what is left, which a short rest joins. */
export function inBlocks(
  { count, sourceBytes, targetBytes }: Dimension,
  block: number,
  inner: (count: number) => Pair,
): Pair {
  const whole = count < 2 * block ? 0 : Math.floor(count / block) - 1;
  const rest = count - whole * block;
  if (whole === 0) return inner(rest);
  return membersOf([
    { sourceBytes: 0, targetBytes: 0, pair: loop(whole, block * sourceBytes, block * targetBytes, inner(block)) },
    { sourceBytes: whole * block * sourceBytes, targetBytes: whole * block * targetBytes, pair: inner(rest) },
  ]);
}
