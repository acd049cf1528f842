/** Lightness, a and b of Oklab (Ottosson 2020): equal distances look about equally unlike. */
export type Oklab = readonly [lightness: number, a: number, b: number];

/** The least and the greatest lightness of Oklab, 0 to 1, at which lines and points are seen on white. */
export const ON_WHITE = [0, 0.78] as const;
/** The least and the greatest lightness at which they are seen on white and on black. */
export const ON_EITHER = [0.45, 0.78] as const;

/**
 * `count` colours, as "#rrggbb", none of which repeats: first those in `chosen`, and past them each is, of a grid of
 * this lightness, the one farthest from all before it. Throws an error where the grid has no more.
 */
export function distinctColours(
  count: number,
  chosen: readonly string[],
  [darkest, lightest]: readonly [number, number],
): readonly string[] {
  const colours = chosen.slice(0, count);
  if (count <= chosen.length) return colours;
  const candidates = GRID.map((colour) => ({ colour, lab: oklab(colour), nearest: Infinity })).filter(
    ({ lab: [lightness] }) => darkest <= lightness && lightness <= lightest,
  );
  const without = (taken: Oklab): void => {
    for (const candidate of candidates) candidate.nearest = Math.min(candidate.nearest, distance(candidate.lab, taken));
  };
  colours.map(oklab).forEach(without);
  while (colours.length < count) {
    const farthest = candidates.reduce((best, each) => (each.nearest > best.nearest ? each : best));
    // The grid is used up: what is closer than that nobody tells apart by colour.
    if (farthest.nearest === 0) throw new Error(`colours of a plot: expected at most ${colours.length}, got ${count}`);
    colours.push(farthest.colour);
    without(farthest.lab);
  }
  return colours;
}

export const distance = (one: Oklab, other: Oklab): number =>
  Math.hypot(...one.map((value, i) => value - (other[i] as number)));

export function oklab(colour: string): Oklab {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => linear(parseInt(colour.slice(at, at + 2), 16) / 255));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** An sRGB channel's light. */
const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);

const STEP = 17;
const LEVELS = Array.from({ length: 256 / STEP + 1 }, (_, i) => (i * STEP).toString(16).padStart(2, "0"));
const GRID: readonly string[] = LEVELS.flatMap((r) => LEVELS.flatMap((g) => LEVELS.map((b) => `#${r}${g}${b}`)));
