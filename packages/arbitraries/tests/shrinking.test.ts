import {
  boundsOf,
  isDenseLayout,
  lower,
  printDatatype,
  printLayout,
  runs,
  type Datatype,
  type Layout,
} from "@stowage/ir";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyDatatype, anyLayout } from "../src/index.js";
import { smallerDatatypes } from "../src/shrink/smaller-datatypes.js";
import { depthOf, partsOf } from "./features.js";

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

/** The counterexample that is left of a property that is false where `fails` says so. */
function leftOf<T>(arbitrary: fc.Arbitrary<T>, seed: number, fails: (value: T) => boolean): T {
  const { counterexample } = fc.check(
    fc.property(arbitrary, (value) => !fails(value)),
    { seed, numRuns: 5000 },
  );
  if (counterexample === null) throw new Error(`seed ${seed}: expected a value that fails, got none`);
  return counterexample[0];
}

const runsOf = (layout: Layout) => [...runs(layout, { count: 1, first: 0, length: layout.sizeBytes })];

/** Faults of a backend, by the datatypes that show them, and the smallest of these. */
const FAULTS: readonly (readonly [string, (type: Datatype) => boolean, number])[] = [
  ["everything", () => true, 0],
  ["something to move", (type) => boundsOf(type).sizeBytes > 0, 0],
  ["an odd size above 3", (type) => boundsOf(type).sizeBytes % 2 === 1 && boundsOf(type).sizeBytes > 3, 1],
  ["two runs", (type) => runsOf(lower(type)).length > 1, 1],
  [
    "runs out of order",
    (type) => runsOf(lower(type)).some((run, i, all) => run.offsetBytes < (all[i - 1]?.offsetBytes ?? -Infinity)),
    1,
  ],
  ["a negative extent", (type) => boundsOf(type).extentBytes < 0, 1],
  [
    "a struct inside a struct",
    (type) =>
      [...partsOf(type)].some(
        (part) => part.kind === "struct" && part.children.some((child) => child.kind === "struct"),
      ),
    2,
  ],
  ["a byte at an odd place", (type) => runsOf(lower(type)).some(({ offsetBytes }) => offsetBytes % 2 !== 0), 1],
];

const constructorsOf = (type: Datatype): number =>
  [...partsOf(type)].filter(({ kind }) => kind !== "predefined").length;

describe.each(FAULTS)("a datatype that shows %s", (_, fails, constructors) => {
  test.each(SEEDS)("shrinks to its fewest constructors (seed %i)", (seed) => {
    const left = leftOf(anyDatatype(), seed, fails);
    expect(constructorsOf(left), JSON.stringify(printDatatype(left))).toBeLessThanOrEqual(constructors);
  });
});

test("a datatype of two parts far from one another shrinks to two bytes", () => {
  const isFar = (type: Datatype): boolean => boundsOf(type).trueExtentBytes > 2 ** 32 && boundsOf(type).sizeBytes > 0;
  const left = leftOf(anyDatatype({ sparse: true }), 5, isFar);
  expect([constructorsOf(left), boundsOf(left).sizeBytes]).toEqual([1, 2]);
});

test.each(SEEDS)("what shrinks stays without overlap where it was drawn so (seed %i)", (seed) => {
  const hasMany = (layout: Layout): boolean => runsOf(layout).length > 2;
  const left = leftOf(anyDatatype({ disjoint: true }), seed, (type) => hasMany(lower(type)));
  const ends = runsOf(lower(left)).sort((a, b) => a.offsetBytes - b.offsetBytes);
  expect(
    ends.every(
      ({ offsetBytes }, i) => offsetBytes >= (ends[i - 1]?.offsetBytes ?? -Infinity) + (ends[i - 1]?.lengthBytes ?? 0),
    ),
  ).toBe(true);
});

test.each(SEEDS)("a layout shrinks to one node, or to two where it takes two (seed %i)", (seed) => {
  const one = leftOf(anyLayout(), seed, ({ sizeBytes }) => sizeBytes > 2);
  expect(isDenseLayout(one) || one.root.kind === "dense", printLayout(one)).toBe(true);
  const two = leftOf(anyLayout(), seed, (layout) => runsOf(layout).length > 1);
  expect(two.root.depth, printLayout(two)).toBe(2);
});

test("every step is to a smaller datatype: any chain of steps ends", () => {
  const shallow = fc.sample(anyDatatype({ depth: 2 }), { seed: 3, numRuns: 60 }).filter((type) => depthOf(type) < 5);
  for (const [i, type] of shallow.entries()) {
    let steps = 0;
    let at: Datatype | undefined = type;
    for (; at !== undefined && steps < 5000; steps++) {
      const smaller: readonly Datatype[] = [...smallerDatatypes(at)];
      at = smaller[(7 * i + 13 * steps) % smaller.length];
    }
    expect(at).toBeUndefined();
  }
});
