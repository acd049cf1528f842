import { conditions, figuresOf, predictBy, packMove, UNCALIBRATED } from "@stowage/backend-api";
import { CPU_COSTS } from "@stowage/backend-cpu";
import { X64_COSTS } from "@stowage/backend-x64";
import { boundsOf, canonicalise, lower } from "@stowage/ir";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { solve } from "../../src/calibrate/least-squares.js";
import { fitFigures, fitThreads, syntheticGrid, type MeasuredCall } from "../../src/index.js";

const reachOf = (datatype: Parameters<typeof boundsOf>[0]): number => boundsOf(datatype).trueExtentBytes;

describe("figures", () => {
  test("that made some times are found again from them, though one time in ten is wrong", () => {
    const amount = fc.double({ min: 0.1, max: 100, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(amount, amount), { minLength: 40, maxLength: 60 }),
        amount,
        amount,
        (rows, x, y) => {
          const equations = rows.map(([a, b], i) => ({
            coefficients: { a, b },
            value: (a * x + b * y) * (i % 10 === 3 ? 3 : 1),
          }));
          const { unknowns } = solve(equations);
          const wrong = equations
            .filter((_, i) => i % 10 !== 3)
            .map(({ coefficients: { a, b }, value }) =>
              Math.abs((a * (unknowns["a"] ?? 0) + b * (unknowns["b"] ?? 0)) / value - 1),
            );
          expect(wrong.sort((p, q) => p - q)[Math.floor(wrong.length / 2)]).toBeLessThan(0.1);
        },
      ),
      { numRuns: 50, seed: 20_261_122 },
    );
  });

  test("of a cost model explain the calls that it made itself", () => {
    const host = figuresOf(UNCALIBRATED, "host");
    for (const model of [CPU_COSTS, X64_COSTS]) {
      const calls = syntheticGrid(60, reachOf).map(({ datatype, count }): MeasuredCall => {
        const layout = canonicalise(lower(datatype));
        const { runNs, commitNs } = predictBy(model, [packMove(layout)], conditions({ count }), UNCALIBRATED);
        return { layout, count, direction: "pack", conditions: conditions(), runNs, commitNs };
      });
      expect(fitFigures(model, calls, host).figures["pack.uncertainty"]).toBeLessThan(0.02);
    }
  });

  test("of threads: a share and what each is worth", () => {
    const calls = [1e4, 1e5, 1e6, 1e7].map((aloneNs) => ({
      mode: "call",
      threads: 2,
      aloneNs,
      sharedNs: 5000 + aloneNs / 1.8,
      commitRatio: 1.5,
    }));
    const figures = fitThreads(calls);
    expect(figures["threads.call.share"]).toBeCloseTo(5000, -2);
    expect(figures["threads.call.worth"]).toBeCloseTo(0.8, 2);
    expect(figures["threads.commit"]).toBe(1.5);
  });
});

test("the grid is the same on every machine, and a longer one begins with the shorter", () => {
  const names = (points: number) => syntheticGrid(points, reachOf).map(({ name }) => name);
  expect(names(40).slice(0, 20)).toEqual(names(20));
});
