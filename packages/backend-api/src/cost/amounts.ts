import type { FigureOf } from "./profile.js";

/** How much of each figure of a profile a call pays: a figure's name, and how many of its units. */
export type Amounts = Readonly<Record<string, number>>;

/** The time in nanoseconds that some amounts cost: the sum of each amount times its figure. */
export function costNs(amounts: Amounts, figure: FigureOf): number {
  let ns = 0;
  for (const name in amounts) ns += (amounts[name] as number) * figure(name);
  return ns;
}
