import type { Pair } from "./pair.js";

/** Children of a pair that are as many as are asked for, when it runs. */
export interface Counted {
  readonly child: Pair;
  readonly sourceBytes: number;
  readonly targetBytes: number;
}

/** Children of one packed size. */
export interface Level {
  readonly counted: Counted;
  readonly unitBytes: number;
}
