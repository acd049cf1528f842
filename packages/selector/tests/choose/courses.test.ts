import type { Backend, Prediction } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coursesOf } from "../../src/choose/courses.js";
import type { Taker } from "../../src/choose/taker.js";

const cpu = new CpuBackend();
const named = (name: string): Backend => ({
  name,
  supports: (moves, given) => cpu.supports(moves, given),
  compile: (moves, given) => cpu.compile(moves, given),
  load: (artifact) => cpu.load(artifact),
});

const taker = (name: string, commitNs: number, callNs: number, elementNs: number): Taker => ({
  backend: named(name),
  predict: (count): Prediction => ({ commitNs, runNs: callNs + count * elementNs }),
});

const namesOf = (takers: readonly Taker[], count: number | "any", reuse?: number) =>
  coursesOf(takers, count, 8, reuse).map(({ fromCount, tiers }) => [
    fromCount,
    ...tiers.map(({ backend }) => backend.name),
  ]);

describe("who moves which calls", () => {
  const slow = taker("slow", 10_000, 500, 10);
  const quick = taker("quick", 100_000, 100, 1);

  test("what compiles soonest begins where a call is short, and is left out where one call repays the other", () => {
    const courses = namesOf([slow, quick], "any");
    expect(courses[0]).toEqual([0, "slow", "quick"]);
    expect(courses.at(-1)?.slice(1)).toEqual(["quick"]);
    // 10,000 + 500 + 10 n = 100,000 + 100 + n
    const from = courses.at(-1)?.[0] as number;
    expect(from / 9955).toBeGreaterThan(0.75);
    expect(from / 9955).toBeLessThan(1.3);
  });

  test("with an expected number of calls there is one, the least of all together", () => {
    expect(namesOf([slow, quick], 1, 1)).toEqual([[0, "slow"]]);
    expect(namesOf([slow, quick], 1, 1e6)).toEqual([[0, "quick"]]);
  });

  test("of backends with one slope the one with the lesser call, of crossing ones another from some count on", () => {
    const short = taker("short", 1, 10, 2);
    const long = taker("long", 1, 1000, 1);
    expect(namesOf([short, long], "any").map(([, name]) => name)).toEqual(["short", "long"]);
  });

  test("law: at every count, who is last takes no more than 5 % longer than the best, save near a change", () => {
    const times = fc.record({
      commitNs: fc.integer({ min: 1, max: 1e6 }),
      callNs: fc.integer({ min: 1, max: 1e4 }),
      elementNs: fc.double({ min: 0.01, max: 100, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 1e6 }), (all, count) => {
        const takers = all.map(({ commitNs, callNs, elementNs }, i) => taker(String(i), commitNs, callNs, elementNs));
        const tiers = coursesOf(takers, count, 8, undefined)[0]?.tiers ?? [];
        const timeOf = (each: Taker | undefined): number => each?.predict(count).runNs ?? NaN;
        const last = takers.find(({ backend }) => backend === tiers.at(-1)?.backend);
        expect(timeOf(last)).toBeLessThanOrEqual(Math.min(...takers.map(timeOf)) / 0.94);
      }),
    );
  });
});
