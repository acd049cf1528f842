import { canonicalise, layout, stream, type Layout } from "@stowage/ir";
import { anyLayout } from "@stowage/arbitraries";
import fc from "fast-check";
import { anyCopy } from "./any-copy.js";
import type { Range } from "./raw.js";

const fraction = fc.double({ min: 0, max: 1, noNaN: true });

/** A range of any count of elements: all of it, or any bytes of it. */
const rangeOf = (sizeBytes: number): fc.Arbitrary<Range> =>
  fc
    .record({ count: fc.nat({ max: 5 }), a: fraction, b: fraction, whole: fc.boolean() })
    .map(({ count, a, b, whole }) => {
      const total = sizeBytes * count;
      if (whole) return { count, first: 0, length: total };
      const first = Math.floor(Math.min(a, b) * total);
      return { count, first, length: Math.ceil(Math.max(a, b) * total) - first };
    });

/** Thresholds that make small layouts take the ways of large ones. */
const tunings = fc.record({
  unrollMoves: fc.constantFrom(0, 3, 48),
  branchHistoryRuns: fc.constantFrom(0, Infinity),
  prefetchReachBytes: fc.constantFrom(0, Infinity),
  nonTemporalBytes: fc.constantFrom(0, Infinity),
  sortReachBytes: fc.constantFrom(0, Infinity),
  maskedRuns: fc.boolean(),
  repMovsbBytes: fc.constantFrom(40, Infinity),
  repMovsbUnpackedBytes: fc.constantFrom(40, Infinity),
  alignedStoresBytes: fc.constantFrom(150, Infinity),
  prefetchL2: fc.boolean(),
  longRoundsInL2: fc.boolean(),
  permutedBlocks: fc.boolean(),
  paddedBlocks: fc.boolean(),
});

/** A layout, a range of some of its elements, thresholds, and the end of the buffers that touches a guard page. */
export const cases = fc.tuple(anyLayout({ disjoint: true }), fc.boolean()).chain(([any, canonical]) => {
  const layout = canonical ? canonicalise(any) : any;
  return fc.record({
    layout: fc.constant(layout),
    range: rangeOf(layout.sizeBytes),
    tuning: tunings,
    flush: fc.constantFrom("start" as const, "end" as const),
  });
});

/** Two layouts of one size: unlike ones that factor alike, or any two whose sizes are the same by repetition. */
export const copies = fc
  .oneof(
    { weight: 4, arbitrary: anyCopy },
    { weight: 1, arbitrary: fc.tuple(anyLayout(), anyLayout({ disjoint: true })).map(evened) },
  )
  .chain(([source, target]) =>
    fc.record({
      source: fc.constant(source),
      target: fc.constant(target),
      range: rangeOf(source.sizeBytes),
      tuning: tunings,
      flush: fc.constantFrom("start" as const, "end" as const),
    }),
  );

/** As many elements of each as make both one size. */
function evened([source, target]: readonly [Layout, Layout]): readonly [Layout, Layout] {
  if (source.sizeBytes === 0 || target.sizeBytes === 0) return [target, target];
  const several = (one: Layout, times: number): Layout => {
    const apart = Math.max(1, one.trueExtentBytes);
    return layout(one.startBytes, stream(times, apart, one.root), { lowerBoundBytes: 0, extentBytes: times * apart });
  };
  return [several(source, target.sizeBytes), several(target, source.sizeBytes)];
}
