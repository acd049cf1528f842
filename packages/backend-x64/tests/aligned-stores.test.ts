import { dense, layout } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { runsOn, type FeatureLevel } from "../src/feature-level.js";
import { probeMachine } from "../src/memory/machine.js";
import { DEFAULT_TUNING } from "../src/options.js";
import { differenceOf } from "./raw.js";

const probed = probeMachine();
const levels = (["sse2", "avx2", "avx512"] as const satisfies readonly FeatureLevel[]).filter(
  (level) => "machine" in probed && runsOn(level, probed.machine.level),
);
const COUNT = 9;
const tuning = { ...DEFAULT_TUNING, alignedStoresBytes: 1024 };

describe.each(levels)("stores of long runs keep to lines at %s", (level) => {
  // Of an odd length runs begin at every place in a line, packed and scattered.
  test.each([1024, 1025, 1087, 1151, 1500, 2913])("and move %i bytes and none beside them", (bytes) => {
    const runs = layout(0, dense(bytes), { lowerBoundBytes: 0, extentBytes: bytes + 5 });
    for (const direction of ["pack", "unpack"] as const)
      for (const first of [0, 1, 63, bytes - 1])
        for (const flush of ["start", "end"] as const) {
          const range = { count: COUNT, first, length: COUNT * bytes - 2 * first };
          expect(differenceOf(runs, range, direction, level, flush, tuning)).toBeUndefined();
        }
  });
});
