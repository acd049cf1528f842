import { darray, subarray, type Distribution } from "@stowage/ir";
import * as fc from "fast-check";
import type { Wrapper } from "./options.js";

const order = fc.constantFrom("C" as const, "F" as const);
const MOST_DIMENSIONS = 3;

const boxAxis = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.nat({ max: 3 }), fc.nat({ max: 3 }))
  .map(([subsize, before, after]) => ({ size: before + subsize + after, subsize, start: before }));

const anySubarray: fc.Arbitrary<Wrapper> = fc
  .tuple(fc.array(boxAxis, { minLength: 1, maxLength: MOST_DIMENSIONS }), order)
  .map(
    ([axes, rowOrColumn]) =>
      (child) =>
        subarray({
          sizes: axes.map(({ size }) => size),
          subsizes: axes.map(({ subsize }) => subsize),
          starts: axes.map(({ start }) => start),
          order: rowOrColumn,
          child,
        }),
  );

const dealtAxis = fc.record({
  gsize: fc.integer({ min: 1, max: 6 }),
  processes: fc.integer({ min: 1, max: 3 }),
  distribution: fc.constantFrom<Distribution>("block", "cyclic", "none"),
  darg: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
});

/** A block distribution's argument must let the blocks hold the whole dimension (MPI 4.1, section 5.1.4). */
function dargOf({ gsize, processes, distribution, darg }: typeof dealtAxis extends fc.Arbitrary<infer T> ? T : never) {
  if (darg === null || distribution === "cyclic") return darg;
  return Math.ceil(gsize / processes) + darg - 1;
}

const anyDarray: fc.Arbitrary<Wrapper> = fc
  .tuple(fc.array(dealtAxis, { minLength: 1, maxLength: MOST_DIMENSIONS }), fc.nat(), order)
  .map(([drawn, luck, rowOrColumn]) => (child) => {
    const axes = drawn.map((axis) => (axis.distribution === "none" ? { ...axis, processes: 1 } : axis));
    const size = axes.reduce((product, { processes }) => product * processes, 1);
    return darray({
      size,
      rank: luck % size,
      gsizes: axes.map(({ gsize }) => gsize),
      distribs: axes.map(({ distribution }) => distribution),
      dargs: axes.map(dargOf),
      psizes: axes.map(({ processes }) => processes),
      order: rowOrColumn,
      child,
    });
  });

export const anyArray: fc.Arbitrary<Wrapper> = fc.oneof(anySubarray, anyDarray);
