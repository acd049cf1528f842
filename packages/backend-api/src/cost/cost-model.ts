import type { Layout } from "@stowage/ir";
import type { Conditions } from "../conditions.js";
import type { Amounts } from "./amounts.js";
import type { Walk } from "./memory-traffic.js";
import type { FigureOf } from "./profile.js";

/**
 * How the time of a backend's calls comes about: a pure function of a layout, conditions and the machine. Calibration
 * measures calls, and finds the figures that explain them best.
 */
export interface CostModel {
  /** The section of a profile with its figures. */
  readonly section: string;
  /** What begins the names of the figures. */
  mode(direction: "pack" | "unpack", conditions: Conditions): string;
  /** What it takes to move the elements of one scattered side, beside beginning a call (`call`). */
  run(walk: Walk, conditions: Conditions): Amounts;
  /** What `run` costs no less than, so that it does not fall as elements grow in number. Absent: it does not. */
  runAtLeast?(walk: Walk, conditions: Conditions): Amounts | undefined;
  /**
   * Lines and pages fetched for the same; their figures are the host's, for they cost the same whoever touches them.
   * Absent: the host's memory takes no part.
   */
  traffic?(walk: Walk, host: FigureOf): Amounts;
  /** What it takes to compile and load one side, once, beside beginning (`commit`). */
  commit(layout: Layout): Amounts;
}
