import type { Layout } from "@stowage/ir";
import type { Span } from "../binding.js";
import type { Conditions } from "../conditions.js";
import { BindingError } from "../errors.js";
import type { MemoryKind } from "../memory.js";

/** One side of one move, with what was declared of it. */
export interface Side {
  readonly name: "source" | "target";
  /** The index of the move. */
  readonly move: number;
  readonly layout: Layout;
  readonly span: Span;
  readonly kind: MemoryKind;
  readonly alignment: number;
}

export const sourceSide = (move: number, layout: Layout, span: Span, conditions: Conditions): Side => ({
  name: "source",
  move,
  layout,
  span,
  kind: conditions.sourceKind,
  alignment: conditions.sourceAlignment,
});

export const targetSide = (move: number, layout: Layout, span: Span, conditions: Conditions): Side => ({
  name: "target",
  move,
  layout,
  span,
  kind: conditions.targetKind,
  alignment: conditions.targetAlignment,
});

export function refuse({ name, move }: Side, expected: string, got: string): never {
  throw new BindingError(`${name} of move ${move}`, expected, got);
}
