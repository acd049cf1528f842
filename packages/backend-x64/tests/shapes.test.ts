import { describe, expect, test } from "vitest";
import { FEATURE_LEVELS, runsOn } from "../src/feature-level.js";
import { probeMachine } from "../src/memory/machine.js";
import { DEFAULT_TUNING } from "../src/options.js";
import { differenceOf } from "./raw.js";
import { OUT_OF_CACHE, ranges, SHAPES } from "./shapes.js";

const probed = probeMachine();
const levels = FEATURE_LEVELS.filter((level) => "machine" in probed && runsOn(level, probed.machine.level));

describe.each(levels)("at %s", (level) => {
  test.each(SHAPES)("%s", (_, layoutOf) => {
    for (const direction of ["pack", "unpack"] as const) {
      for (const count of [1, 2, 21]) {
        // Elements that overlap may not be unpacked.
        const total = layoutOf.sizeBytes * count;
        for (const [first, length] of ranges(total, layoutOf.sizeBytes)) {
          if (first < 0 || length <= 0 || first + length > total) continue;
          for (const flush of ["start", "end"] as const) {
            for (const tuning of [DEFAULT_TUNING, OUT_OF_CACHE]) {
              expect(differenceOf(layoutOf, { count, first, length }, direction, level, flush, tuning)).toBeUndefined();
            }
          }
        }
      }
    }
  });
});
