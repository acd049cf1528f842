import { canonicalise } from "@stowage/ir";
import { anyLayout } from "@stowage/workloads";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { FEATURE_LEVELS, runsOn } from "../src/feature-level.js";
import { probeMachine } from "../src/memory/machine.js";
import { DEFAULT_TUNING } from "../src/options.js";
import { differenceOf, type Range } from "./raw.js";

// Some hundred cases in a test run; with FUZZ_MINUTES, as many as fit (`npm run fuzz`). STOWAGE_SEED repeats a run.
const minutes = Number(process.env["FUZZ_MINUTES"] ?? 0);
const seed = Number(process.env["STOWAGE_SEED"] ?? Date.now() % 2 ** 31);
const probed = probeMachine();
const levels = FEATURE_LEVELS.filter((level) => "machine" in probed && runsOn(level, probed.machine.level));
const eachMs = (minutes * 60_000) / Math.max(1, 2 * levels.length);

const fraction = fc.double({ min: 0, max: 1, noNaN: true });

/** A range of any count of elements: all of it, or any bytes of it. */
const rangeOf = (sizeBytes: number): fc.Arbitrary<Range> =>
  fc.record({ count: fc.nat({ max: 5 }), a: fraction, b: fraction, whole: fc.boolean() }).map(({ count, a, b, whole }) => {
    const total = sizeBytes * count;
    if (whole) return { count, first: 0, length: total };
    const first = Math.floor(Math.min(a, b) * total);
    return { count, first, length: Math.ceil(Math.max(a, b) * total) - first };
  });

/** Thresholds that make small layouts take the ways of large ones. */
const tunings = fc.record({
  unrollMoves: fc.constantFrom(0, 3, 48),
  prefetchReachBytes: fc.constantFrom(0, Infinity),
  streamingBytes: fc.constantFrom(0, Infinity),
  repMovsBytes: fc.constantFrom(0, Infinity),
  groupRunsBytes: fc.constantFrom(0, Infinity),
  sortBlocks: fc.constantFrom(0, Infinity),
});

const cases = fc.tuple(anyLayout({ disjoint: true }), fc.boolean()).chain(([any, canonical]) => {
  const layout = canonical ? canonicalise(any) : any;
  return fc.record({ layout: fc.constant(layout), range: rangeOf(layout.sizeBytes), tuning: tunings, flush: fc.constantFrom("start" as const, "end" as const) });
});

beforeAll(() => console.log(`fuzz of x64: seed ${seed}; repeat with STOWAGE_SEED=${seed}`));

describe.each(levels)("at %s", (level) => {
  test.each(["pack", "unpack"] as const)(
    "%s moves what a walk over the runs moves, and touches nothing outside",
    (direction) => {
      const limits = minutes > 0 ? { numRuns: Infinity, interruptAfterTimeLimit: eachMs } : { numRuns: 400 };
      fc.assert(
        fc.property(cases, ({ layout, range, tuning, flush }) => {
          expect(differenceOf(layout, range, direction, level, flush, { ...DEFAULT_TUNING, ...tuning })).toBeUndefined();
        }),
        { seed, ...limits },
      );
    },
    eachMs + 120_000,
  );
});
