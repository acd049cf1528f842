import type { IntegerTable } from "@stowage/ir";
import type { Transposed } from "../loops/plans.js";

/** Bytes of one run on both sides, in order. */
export interface Run {
  readonly kind: "run";
  readonly lengthBytes: number;
}

/** `count` copies of one pair, a stride apart on each side. */
export interface Loop {
  readonly kind: "loop";
  readonly count: number;
  readonly sourceBytes: number;
  readonly targetBytes: number;
  readonly child: Pair;
}

/** Copies of one pair, each at displacements of its own: entry 2i of the source's, entry 2i + 1 of the target's. */
export interface Walk {
  readonly kind: "walk";
  readonly displacementsBytes: IntegerTable;
  readonly child: Pair;
}

/**
 * Runs of at least `widthBytes`, a power of two, and less than twice that: of each its displacements on both sides, and
 * its bytes past that width.
 */
export interface Overlaps {
  readonly kind: "overlaps";
  readonly widthBytes: number;
  readonly displacementsBytes: IntegerTable;
}

export interface PairMember {
  readonly sourceBytes: number;
  readonly targetBytes: number;
  readonly pair: Pair;
}

/** Different pairs, one after another. */
export interface Members {
  readonly kind: "members";
  readonly members: readonly PairMember[];
}

/** A transpose, and with few columns or rows an array of structs that becomes arrays, or back. */
export interface TransposedPair extends Transposed {
  readonly kind: "transposed";
}

/** A nest of loops over runs, in the order that a rule gave. */
export interface Nest {
  readonly kind: "nest";
  readonly rule: string;
  /** Why each rule before it gave none. */
  readonly passed: readonly string[];
  readonly pair: Pair;
}

/** Two layouts of one size walked together: where bytes come from and where they go, at once. */
export type Pair = Run | Loop | Walk | Overlaps | Members | TransposedPair | Nest;

export const run = (lengthBytes: number): Run => ({ kind: "run", lengthBytes });

export const loop = (count: number, sourceBytes: number, targetBytes: number, child: Pair): Pair =>
  count === 1 ? child : { kind: "loop", count, sourceBytes, targetBytes, child };

export const membersOf = (members: readonly PairMember[]): Pair => {
  const [only] = members;
  const isThere = members.length === 1 && only?.sourceBytes === 0 && only.targetBytes === 0;
  return isThere ? only.pair : { kind: "members", members };
};

/** Bytes that a pair moves; of runs of varying length, as many as they have at least. */
export function sizeOf(pair: Pair): number {
  switch (pair.kind) {
    case "run":
      return pair.lengthBytes;
    case "loop":
      return pair.count * sizeOf(pair.child);
    case "walk":
      return (pair.displacementsBytes.length / 2) * sizeOf(pair.child);
    case "overlaps":
      return (pair.displacementsBytes.length / 3) * pair.widthBytes;
    case "members":
      return pair.members.reduce((sum, member) => sum + sizeOf(member.pair), 0);
    case "transposed":
      return pair.rows * pair.columns * pair.elementBytes;
    case "nest":
      return sizeOf(pair.pair);
  }
}
