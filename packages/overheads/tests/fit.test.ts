import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitLine, interpolate, valueAt } from "../src/index.js";

const term = fc.double({ min: 1, max: 1e5, noNaN: true });
const places = fc.uniqueArray(fc.integer({ min: 0, max: 1e5 }), { minLength: 2, maxLength: 12 });

describe("fitLine", () => {
  it("finds a line that places lie on", () => {
    fc.assert(
      fc.property(term, term, places, (base, slope, xs) => {
        const line = fitLine(xs.map((x) => ({ x, y: base + slope * x })));
        for (const x of xs) expect(valueAt(line, x) / (base + slope * x)).toBeCloseTo(1, 6);
      }),
    );
  });

  it("never pays back: neither base nor slope is below 0", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ x: fc.integer({ min: 0, max: 1e5 }), y: term }), { minLength: 1 }),
        (measured) => {
          const { base, slope } = fitLine(measured);
          expect(base).toBeGreaterThanOrEqual(0);
          expect(slope).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  it("of one place alone is flat", () => {
    expect(fitLine([{ x: 7, y: 40 }])).toEqual({ base: 40, slope: 0 });
  });
});

describe("interpolate", () => {
  it("goes through every place, never below the first, and never down past the last", () => {
    const some = fc.uniqueArray(fc.record({ x: fc.integer({ min: 1, max: 1e5 }), y: term }), {
      minLength: 1,
      selector: ({ x }) => x,
    });
    fc.assert(
      fc.property(some, (unsorted) => {
        const sorted = [...unsorted].sort((a, b) => a.x - b.x);
        for (const { x, y } of sorted) expect(interpolate(sorted, x) / y).toBeCloseTo(1, 6);
        expect(interpolate(sorted, 0)).toBe(sorted[0]?.y);
        expect(interpolate(sorted, 1e6)).toBeGreaterThanOrEqual(sorted.at(-1)?.y ?? NaN);
      }),
    );
  });
});
