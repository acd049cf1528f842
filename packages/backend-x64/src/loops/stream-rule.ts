import type { Stream } from "@stowage/ir";
import type { Rule } from "./rule.js";
import type { Round } from "./stream-plan.js";

/** Children of a stream that one loop moves. */
export interface Loop {
  readonly node: Stream;
  /** Children at most; Infinity: as many as are asked for when it runs. */
  readonly most: number;
}

/** One way to move the children of a stream: the rounds, the longest first, or why they are better moved otherwise. */
export type StreamRule = Rule<Loop, readonly Round[]>;
