import type { Builder, Value, Variable } from "@stowage/ptx";

export type PositionType = "u32" | "u64";

/** One word on its way down the tree: what is left of its packed position, and the memory offset so far. */
export interface Point {
  readonly position: Variable;
  readonly offset: Variable;
  /** Where it is asked for: bytes of the run that are left from the position on. */
  readonly restBytes?: Variable;
}

export const pointAt = (k: Builder, type: PositionType, position: Value): Point => ({
  position: k.variable(type, position),
  offset: k.variable("u64", 0),
});
