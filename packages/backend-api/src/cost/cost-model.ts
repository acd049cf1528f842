import type { Layout } from "@stowage/ir";
import type { Conditions } from "../conditions.js";
import type { Amounts } from "./amounts.js";
import type { Walk } from "./memory-traffic.js";
import type { FigureOf } from "./profile.js";

/**
 * How the time of a backend's calls is computed: a pure function of a layout, conditions and the machine. Calibration
 * measures calls, and finds the figures that explain their times best. Nanoseconds come about by costNs.
 */
export interface CostModel {
  /** The section of a profile that holds the model's figures. */
  readonly section: string;
  /** The prefix of the figures' names, without its dot, for a direction under the conditions. */
  mode(direction: "pack" | "unpack", conditions: Conditions): string;
  /** The amounts of a run over the elements of one scattered side; the start of a call is the figure `call`. */
  run(walk: Walk, conditions: Conditions): Amounts;
  /**
   * Amounts that bound the cost of `run` from below, so that it does not fall as elements grow in number. Absent: there
   * is no such bound.
   */
  runAtLeast?(walk: Walk, conditions: Conditions): Amounts | undefined;
  /**
   * The cache lines and pages that the same run fetches. Their figures are the host's, for they cost the same whichever
   * backend touches them. Absent: the host's memory takes no part.
   */
  traffic?(walk: Walk, host: FigureOf): Amounts;
  /** The amounts of compiling and loading one side, once; the start is the figure `commit`. */
  commit(layout: Layout): Amounts;
}
