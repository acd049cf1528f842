import * as fc from "fast-check";

/** Where a block goes: anywhere (`place`), or after the block before it in memory (`rank` orders, `gap` spaces). */
export interface Placement {
  readonly blocklength: number;
  readonly place: number;
  readonly gap: number;
  readonly rank: number;
}

export const placements = (maxLength: number): fc.Arbitrary<readonly Placement[]> =>
  fc.array(
    fc.record({
      blocklength: fc.nat({ max: 4 }),
      place: fc.integer({ min: -12, max: 12 }),
      gap: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 5 }) }),
      rank: fc.nat({ max: 99 }),
    }),
    { maxLength },
  );

/** An interval relative to a block's displacement. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/** Displacements at which the blocks' spans do not overlap, in the memory order of their ranks. */
export function apart(plan: readonly Placement[], spanOf: (block: Placement, index: number) => Span): number[] {
  const displacements = new Array<number>(plan.length).fill(0);
  const inMemory = plan.map((_, i) => i).sort((a, b) => (plan[a] as Placement).rank - (plan[b] as Placement).rank);
  let next = (plan[0]?.place ?? 0) * 2;
  for (const i of inMemory) {
    const block = plan[i] as Placement;
    const { low, high } = spanOf(block, i);
    displacements[i] = next + block.gap - low;
    next += block.gap + high - low;
  }
  return displacements;
}
