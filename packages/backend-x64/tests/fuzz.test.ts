import fc from "fast-check";
import { anyLayout } from "@stowage/workloads";
import { canonicalise } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { runsOn, FEATURE_LEVELS } from "../src/feature-level.js";
import { probeMachine } from "../src/memory/machine.js";
import { differenceOf, type Range } from "./raw.js";
import { DEFAULT_TUNING } from "../src/options.js";

const probed = probeMachine();
const levels = FEATURE_LEVELS.filter((level) => "machine" in probed && runsOn(level, probed.machine.level));

const ranged = fc.tuple(anyLayout({ disjoint: true }), fc.nat({ max: 5 }), fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), fc.boolean(), fc.boolean(), fc.constantFrom(0, 3, 48), fc.constantFrom(0, Infinity), fc.constantFrom(0, Infinity)).map(
  ([layout, count, a, b, whole, canonical, start, unrollMoves, prefetchReachBytes, streamingBytes]) => {
    const total = layout.sizeBytes * count;
    const [low, high] = [Math.floor(Math.min(a, b) * total), Math.ceil(Math.max(a, b) * total)];
    const range: Range = whole ? { count, first: 0, length: total } : { count, first: low, length: high - low };
    return { layout: canonical ? canonicalise(layout) : layout, range, tuning: { ...DEFAULT_TUNING, unrollMoves, prefetchReachBytes, streamingBytes }, flush: start ? ("start" as const) : ("end" as const) };
  },
);

describe.each(levels)("at %s", (level) => {
  test.each(["pack", "unpack"] as const)("%s moves what a walk over the runs moves, and touches nothing outside", (direction) => {
    fc.assert(
      fc.property(ranged, ({ layout, range, flush, tuning }) => {
        expect(differenceOf(layout, range, direction, level, flush, tuning)).toBeUndefined();
      }),
      { numRuns: Number(process.env["RUNS"] ?? 300) },
    );
  });
});
