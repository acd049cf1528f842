import type { FigureOf } from "./profile.js";

/** How often a call pays each figure of a profile: a name, and how many units of it. */
export type Amounts = Readonly<Record<string, number>>;

/** What amounts cost: each times its figure. */
export function costNs(amounts: Amounts, figure: FigureOf): number {
  let ns = 0;
  for (const name in amounts) ns += (amounts[name] as number) * figure(name);
  return ns;
}
