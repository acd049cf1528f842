import { distinctColours, ON_WHITE } from "@stowage/explorer";
import { BASELINES, isMpi } from "../../tables/ratios.js";

/** The first, chosen by eye. */
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

/** So many colours of lines on white that none repeats. */
export const plotColours = (count: number): readonly string[] => distinctColours(count, COLOURS, ON_WHITE);

/** One colour a contender, the same in every plot of a report. */
export type Palette = ReadonlyMap<string, string>;

export function paletteOf(contenders: readonly string[]): Palette {
  const names = [...new Set(contenders)];
  const colours = plotColours(names.length);
  return new Map(names.map((name, i) => [name, colours[i] as string]));
}

/** A contender as plots name it: a backend of ours says that it is. */
export const titleOf = (contender: string): string => (isOurs(contender) ? `Stowage (${contender})` : contender);

/** Kernels by hand, and a GPU driver's own calls. */
const OTHERS_ON_DEVICE = /^(hand|cuMemcpy)/;

const isOurs = (contender: string): boolean =>
  !isMpi(contender) && !BASELINES.some((name) => contender.startsWith(name)) && !OTHERS_ON_DEVICE.test(contender);

/** The colour channel of a plot: its legend lists who is in the plot, in the colours that they have in all. */
export function colourOf(palette: Palette, field: string, shown: readonly string[]) {
  const domain = [...palette.keys()].filter((name) => shown.includes(name));
  const range = domain.map((name) => palette.get(name) as string);
  const titles = JSON.stringify(Object.fromEntries(domain.map((name) => [name, titleOf(name)])));
  const legend = { labelLimit: 400, labelExpr: `(${titles})[datum.value]` };
  return { field, type: "nominal" as const, scale: { domain, range }, title: field, legend };
}
