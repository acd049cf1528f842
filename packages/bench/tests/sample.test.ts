import { expect, test } from "vitest";
import { sampleInTurns } from "../src/sample.js";

test("contenders take turns, and each gets its samples", () => {
  const order: number[] = [];
  const spin = (id: number, turns: number) => () => {
    order.push(id);
    for (let i = 0; i < turns; i++) Math.sqrt(i);
  };
  const times = sampleInTurns([spin(0, 100), spin(1, 1000)], { budgetMs: 5, sampleUs: 20 });
  for (const { medianNs, minNs, maxNs, runs } of times) {
    expect(runs).toBeGreaterThanOrEqual(7);
    expect(minNs).toBeLessThanOrEqual(medianNs);
    expect(medianNs).toBeLessThanOrEqual(maxNs);
  }
  const rounds = order.filter((id, i) => id !== order[i - 1]).length;
  expect(rounds).toBeGreaterThanOrEqual(14);
});
