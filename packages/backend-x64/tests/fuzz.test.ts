import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FEATURE_LEVELS, runsOn } from "../src/feature-level.js";
import { probeMachine } from "../src/memory/machine.js";
import { DEFAULT_TUNING } from "../src/options.js";
import { cases, copies } from "./any-case.js";
import { copyDifferenceOf } from "./raw-copy.js";
import { differenceOf } from "./raw.js";

const HANG_MS = Number(process.env["STOWAGE_HANG_MS"]);

// A hundred cases in a test run; with FUZZ_MINUTES, as many as fit (`npm run fuzz`). STOWAGE_SEED repeats a run.
const minutes = Number(process.env["FUZZ_MINUTES"] ?? 0);
const seed = Number(process.env["STOWAGE_SEED"] ?? Date.now() % 2 ** 31);
const probed = probeMachine();
const levels = FEATURE_LEVELS.filter((level) => "machine" in probed && runsOn(level, probed.machine.level));
const eachMs = (minutes * 60_000) / Math.max(1, 3 * levels.length);

let tried = 0;
afterAll(() => console.log(`fuzz of x64: ${tried} cases`));
beforeAll(() => console.log(`fuzz of x64: seed ${seed}; repeat with STOWAGE_SEED=${seed}`));

const limits =
  minutes > 0
    ? { numRuns: Infinity, interruptAfterTimeLimit: eachMs }
    : { numRuns: Number(process.env["STOWAGE_LAW_RUNS"] ?? 400) };

describe.each(levels)("at %s", (level) => {
  test.each(["pack", "unpack"] as const)(
    "%s moves what a walk over the runs moves, and touches nothing outside",
    (direction) => {
      fc.assert(
        fc.property(cases, ({ layout, range, tuning, flush }) => {
          tried++;
          expect(
            differenceOf(layout, range, direction, level, flush, { ...DEFAULT_TUNING, ...tuning }),
          ).toBeUndefined();
        }),
        { seed, ...limits },
      );
    },
    eachMs + HANG_MS,
  );

  test(
    "a copy from layout to layout moves what walks over the runs of both move, and touches nothing outside",
    () => {
      fc.assert(
        fc.property(copies, ({ source, target, range, tuning, flush }) => {
          tried++;
          expect(
            copyDifferenceOf(source, target, range, level, flush, { ...DEFAULT_TUNING, ...tuning }),
          ).toBeUndefined();
        }),
        { seed, ...limits },
      );
    },
    eachMs + HANG_MS,
  );
});
