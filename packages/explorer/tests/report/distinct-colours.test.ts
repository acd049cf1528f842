import { expect, test } from "vitest";
import { distance, distinctColours, oklab, ON_EITHER, ON_WHITE } from "../../src/report/distinct-colours.js";

const CHOSEN = ["#0c4a86", "#d1701f", "#2f8f4e"];
/** A distance in Oklab: two colours side by side that are 0.02 apart are told apart by half of all people. */
const TOLD_APART = 0.06;

const nearest = (colours: readonly string[]): number =>
  Math.min(...colours.flatMap((one, i) => colours.slice(i + 1).map((other) => distance(oklab(one), oklab(other)))));

test("as many colours as are asked for are told apart, those chosen first", () => {
  for (const [count, theme] of [
    [9, ON_WHITE],
    [64, ON_WHITE],
    [40, ON_EITHER],
  ] as const) {
    // oxfmt-ignore
    const colours = distinctColours(count, CHOSEN, theme);
    expect(colours).toHaveLength(count);
    expect(colours.slice(0, 3)).toEqual(CHOSEN);
    expect(nearest(colours)).toBeGreaterThan(TOLD_APART);
    for (const [lightness] of colours.slice(3).map(oklab)) expect(lightness).toBeLessThanOrEqual(theme[1]);
  }
  expect(distinctColours(2, CHOSEN, ON_WHITE)).toEqual(CHOSEN.slice(0, 2));
});

test("distances are Oklab's", () => {
  expect(oklab("#ffffff").map((value) => Math.round(value * 1e3) / 1e3 + 0)).toEqual([1, 0, 0]);
  expect(oklab("#ff0000").map((value) => Math.round(value * 1e3) / 1e3)).toEqual([0.628, 0.225, 0.126]);
});
