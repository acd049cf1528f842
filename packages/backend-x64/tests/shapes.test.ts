import type { Layout, PackedRange } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { FEATURE_LEVELS, runsOn } from "../src/feature-level.js";
import { probeMachine } from "../src/memory/machine.js";
import { DEFAULT_TUNING, type Tuning } from "../src/options.js";
import { differenceOf } from "./raw.js";
import { OUT_OF_CACHE, ranges, SHAPES } from "./shapes.js";
import { thinned } from "./thinned.js";

const probed = probeMachine();
const levels = FEATURE_LEVELS.filter((level) => "machine" in probed && runsOn(level, probed.machine.level));

interface Way {
  readonly range: PackedRange;
  readonly direction: "pack" | "unpack";
  readonly flush: "start" | "end";
  readonly tuning: Tuning;
}

/** Every range of some counts in both directions, at both ends of memory, as tuned by default and as out of caches. */
function waysOf({ sizeBytes }: Layout): readonly Way[] {
  const spans = [1, 2, 21].flatMap((count) =>
    ranges(sizeBytes * count, sizeBytes)
      .map(([first, length]) => ({ count, first, length }))
      .filter(({ first, length }) => first >= 0 && length > 0 && first + length <= sizeBytes * count),
  );
  return spans.flatMap((range) =>
    (["pack", "unpack"] as const).flatMap((direction) =>
      (["start", "end"] as const).flatMap((flush) =>
        [DEFAULT_TUNING, OUT_OF_CACHE].map((tuning) => ({ range, direction, flush, tuning })),
      ),
    ),
  );
}

const numbered = SHAPES.map(([name, layout], turn) => [name, layout, turn] as const);

describe.each(levels)("at %s", (level) => {
  test.each(numbered)("%s", (_, layout, turn) => {
    for (const { range, direction, flush, tuning } of thinned(waysOf(layout), 23, turn)) {
      expect(differenceOf(layout, range, direction, level, flush, tuning)).toBeUndefined();
    }
  });
});
