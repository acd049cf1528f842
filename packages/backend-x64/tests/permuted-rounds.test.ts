import { dense, hvector, layout, lower, predefined } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { runsOn } from "../src/feature-level.js";
import { probeMachine } from "../src/memory/machine.js";
import { DEFAULT_TUNING } from "../src/options.js";
import { differenceOf } from "./raw.js";

const probed = probeMachine();
const levels = (["avx2", "avx512"] as const).filter(
  (level) => "machine" in probed && runsOn(level, probed.machine.level),
);

describe.each(levels)("at %s", (level) => {
  test.each([3, 7, 9, 21])(
    "rounds of blocks of %i bytes, short of a vector by one, end with their last byte",
    (bytes) => {
      for (const gap of [1, 2, 5]) {
        const blocks = layout(0, dense(bytes), { lowerBoundBytes: 0, extentBytes: bytes + gap });
        for (let rounds = 1; rounds <= 8; rounds++) {
          const count = rounds * Math.floor(64 / bytes);
          for (const flush of ["start", "end"] as const) {
            expect(
              differenceOf(blocks, { count, first: 0, length: count * bytes }, "pack", level, flush),
            ).toBeUndefined();
          }
        }
      }
    },
  );

  test.each(["pack", "unpack"] as const)("columns that end a byte behind a line are no full lines: %s", (direction) => {
    const columns = lower(hvector(1024, 1, 1, hvector(65, 1, 64 * 17 + 1, predefined("MPI_BYTE"))));
    const range = { count: 1, first: 0, length: columns.sizeBytes };
    const tuning = { ...DEFAULT_TUNING, nonTemporalBytes: 16_384 };
    expect(differenceOf(columns, range, direction, level, "end", tuning)).toBeUndefined();
  });
});
