import { requireArray } from "@stowage/ir";
import { requireNumber } from "../require-value.js";

/** Ratios of several cells in one figure. */
export interface Mean {
  readonly cells: number;
  readonly geometricMean: number;
  readonly least: number;
  readonly greatest: number;
}

/** The geometric mean, for ratios: twice and half as fast make as fast. Undefined of nothing. */
export function meanOf(ratios: readonly number[]): Mean | undefined {
  requireArray(ratios, "ratios", "a list of numbers").forEach((ratio) => requireNumber(ratio, "ratio"));
  if (ratios.length === 0) return undefined;
  const logs = ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0);
  const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)];
  return { cells: ratios.length, geometricMean: Math.exp(logs / ratios.length), least, greatest };
}
