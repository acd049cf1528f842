/** From the first packed byte to the last: blue, teal, green, amber, red, told apart on light and on dark. */
const STOPS = [
  [67, 97, 238],
  [16, 152, 173],
  [55, 178, 77],
  [245, 159, 0],
  [224, 49, 49],
] as const;

const STEPS = 256;

/** CSS colours by share of the packed stream. */
const RAMP = Array.from({ length: STEPS }, (_, i) => {
  const at = (i / (STEPS - 1)) * (STOPS.length - 1);
  const stop = Math.min(STOPS.length - 2, Math.floor(at));
  const [from, to] = [STOPS[stop] as readonly number[], STOPS[stop + 1] as readonly number[]];
  return from.map((value, channel) => Math.round(value + ((to[channel] as number) - value) * (at - stop)));
});

/** The colour of a byte at this share of the packed stream, [0, 1]. */
export function orderColour(share: number): readonly number[] {
  return RAMP[Math.max(0, Math.min(STEPS - 1, Math.round(share * (STEPS - 1))))] as readonly number[];
}

export interface Theme {
  readonly untouched: readonly number[];
  readonly text: string;
  readonly faint: string;
  readonly accent: string;
}

/** The page's own colours, as its style sheet has them now. */
export function currentTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const named = (name: string): string => style.getPropertyValue(name).trim();
  return {
    untouched: named("--untouched").split(" ").map(Number),
    text: named("--text"),
    faint: named("--faint"),
    accent: named("--accent"),
  };
}

/** Cells of which few bytes move lie between the colour of their order and that of untouched memory. */
export function cellColour(filled: number, share: number, { untouched }: Theme): string {
  if (filled <= 0) return `rgb(${untouched.join(" ")})`;
  const weight = 0.25 + 0.75 * filled;
  const mixed = orderColour(share).map((value, i) =>
    Math.round((untouched[i] as number) * (1 - weight) + value * weight),
  );
  return `rgb(${mixed.join(" ")})`;
}

/** Black or white, what can be read on a byte of this order. */
export function numberColour(share: number): string {
  const [red = 0, green = 0, blue = 0] = orderColour(share);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 125 ? "#111" : "#fff";
}
