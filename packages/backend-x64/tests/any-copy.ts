import {
  canonicalise,
  dense,
  integerTable,
  layout,
  stream,
  uniformBlocks,
  type Layout,
  type LayoutNode,
} from "@stowage/ir";
import fc from "fast-check";

/** How one dimension of a packed shape lies in memory. */
interface Dimension {
  readonly rank: number;
  readonly gapBytes: number;
  readonly direction: "ascending" | "descending" | "shuffled";
}

const anyDimension: fc.Arbitrary<Dimension> = fc.record({
  rank: fc.nat({ max: 99 }),
  gapBytes: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
  direction: fc.constantFrom("ascending" as const, "ascending" as const, "descending" as const, "shuffled" as const),
});

/** Element bytes, and the counts of a packed shape, outermost first. */
interface Shape {
  readonly bytes: number;
  readonly counts: readonly number[];
}

/** Counts that multiply to the same: neighbours joined where `joins` says so. */
function joined(counts: readonly number[], joins: readonly boolean[]): readonly number[] {
  const shape: number[] = [];
  counts.forEach((count, i) => {
    if (i > 0 && joins[i] === true) shape.push((shape.pop() as number) * count);
    else shape.push(count);
  });
  return shape;
}

/**
 * The shape with its dimensions nested in memory in the order of their ranks; no two bytes are in one place. Strides of
 * 64 bytes and more are multiples of `lineBytes`.
 */
function laidOut({ bytes, counts }: Shape, dimensions: readonly Dimension[], lineBytes: number): Layout {
  const strides = new Array<number>(counts.length).fill(0);
  const order = counts.map((_, i) => i).sort((a, b) => (dimensions[a]?.rank ?? 0) - (dimensions[b]?.rank ?? 0));
  let reach = bytes;
  for (const i of order) {
    const apart = reach + (dimensions[i]?.gapBytes ?? 0);
    const strideBytes = apart < 64 ? apart : Math.ceil(apart / lineBytes) * lineBytes;
    strides[i] = strideBytes;
    reach += strideBytes * ((counts[i] as number) - 1);
  }
  const root = counts.reduceRight<LayoutNode>(
    (child, count, i) => nested(child, count, strides[i] as number, dimensions[i]?.direction ?? "ascending"),
    dense(bytes),
  );
  return canonicalise(
    layout(0, root, { lowerBoundBytes: root.lowBytes, extentBytes: reach + (dimensions[0]?.gapBytes ?? 0) }),
  );
}

function nested(child: LayoutNode, count: number, strideBytes: number, direction: Dimension["direction"]): LayoutNode {
  if (direction === "ascending") return stream(count, strideBytes, child);
  if (direction === "descending") return stream(count, -strideBytes, child);
  // A multiplier without a divisor in common with any count below it.
  return uniformBlocks(
    integerTable(count, (i) => ((i * 101) % count) * strideBytes),
    child,
  );
}

const anyCounts = fc.array(fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constantFrom(8, 9, 16, 33, 64)), {
  minLength: 1,
  maxLength: 4,
});

/** Two layouts of one size: a shape and another factoring of it, each nested in memory in its own way. */
export const anyCopy: fc.Arbitrary<readonly [source: Layout, target: Layout]> = fc
  .record({
    bytes: fc.constantFrom(1, 2, 3, 4, 8, 12, 16, 24),
    counts: anyCounts,
    joins: fc.tuple(...[0, 1].map(() => fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }))),
    dimensions: fc.tuple(...[0, 1].map(() => fc.array(anyDimension, { minLength: 4, maxLength: 4 }))),
    // Part of the counts goes into the element: the other side has shorter runs.
    grown: fc.nat({ max: 2 }),
    // Targets whose lines are written fully may take non-temporal stores.
    lineBytes: fc.constantFrom(1, 64),
  })
  .filter(({ counts, bytes }) => counts.reduce((product, count) => product * count, bytes) < 2 ** 16)
  .map(({ bytes, counts, joins, dimensions, grown, lineBytes }) => {
    const whole = counts.length - Math.min(grown, counts.length - 1);
    const longer: Shape = {
      bytes: counts.slice(whole).reduce((product, count) => product * count, bytes),
      counts: joined(counts.slice(0, whole), joins[0] ?? []),
    };
    const other: Shape = { bytes, counts: joined(counts, joins[1] ?? []) };
    return [laidOut(longer, dimensions[0] ?? [], lineBytes), laidOut(other, dimensions[1] ?? [], lineBytes)] as const;
  });
