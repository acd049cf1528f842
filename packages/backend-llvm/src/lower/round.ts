import type { FunctionWriter } from "./function-writer.js";
import type { Spot } from "./node-writer.js";

/** What one round of a loop moves: so many children of a stream, the first of which lies at the spot. */
export interface Round {
  readonly children: number;
  /** Children that must follow it, for it writes over the start of the next one. */
  readonly followed?: number;
  /** Instructions that move, to tell whether rounds are written out. */
  readonly moves: number;
  readonly emit: (f: FunctionWriter, first: Spot) => void;
}
