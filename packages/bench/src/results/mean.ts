import { requireArray } from "@stowage/ir";
import { requireNumber } from "../require-value.js";

/** Ratios of several cells in one figure. */
export interface Mean {
  /** How many ratios there are. */
  readonly cells: number;
  /** Their geometric mean. */
  readonly geometricMean: number;
  /** The least ratio. */
  readonly least: number;
  /** The greatest ratio. */
  readonly greatest: number;
}

/**
 * The geometric mean of ratios: twice as fast and half as fast make as fast. undefined for an empty list. Throws an
 * ArgumentError for what is no list of numbers.
 */
export function meanOf(ratios: readonly number[]): Mean | undefined {
  requireArray(ratios, "ratios", "a list of numbers").forEach((ratio) => requireNumber(ratio, "ratio"));
  if (ratios.length === 0) return undefined;
  const logs = ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0);
  const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)];
  return { cells: ratios.length, geometricMean: Math.exp(logs / ratios.length), least, greatest };
}
