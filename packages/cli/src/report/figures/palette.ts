const COLOURS = [
  "#0c4a86",
  "#d1701f",
  "#2f8f4e",
  "#8a4fa3",
  "#b03a48",
  "#5c6b78",
  "#1b9aaa",
  "#c2a21b",
  "#7a5230",
  "#e377a2",
  "#3d3d8f",
  "#6aa84f",
];

/** One colour a contender, the same in every plot of a report. */
export type Palette = ReadonlyMap<string, string>;

export const paletteOf = (contenders: readonly string[]): Palette =>
  new Map([...new Set(contenders)].map((name, i) => [name, COLOURS[i % COLOURS.length] as string]));

/** The colour channel of a plot: its legend lists who is in the plot, in the colours that they have in all. */
export function colourOf(palette: Palette, field: string, shown: readonly string[]) {
  const domain = [...palette.keys()].filter((name) => shown.includes(name));
  const range = domain.map((name) => palette.get(name) as string);
  return { field, type: "nominal" as const, scale: { domain, range }, title: field };
}
