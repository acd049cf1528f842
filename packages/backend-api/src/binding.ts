import type { Memory } from "./memory.js";

/** A place in memory: where the datatype's address 0 lies. Lower bounds may be negative, and so may the origin. */
export interface Span {
  readonly memory: Memory;
  readonly originBytes: number;
}

/**
 * What one move of a plan works on: `count` elements, and of their packed stream the range [first, first + length).
 * A packed side is a layout like any other: its origin is where byte 0 of the whole packed stream lies, so a
 * fragment buffer that holds only the range has the origin -first.
 */
export interface Binding {
  readonly source: Span;
  readonly target: Span;
  readonly count: number;
  readonly first: number;
  readonly length: number;
}
