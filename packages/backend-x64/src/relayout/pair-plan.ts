import type { IntegerTable } from "@stowage/ir";
import type { Chunk } from "../loops/chunks.js";
import type { Transposed, TransposePlan } from "../loops/plans.js";
import type { Loop, Run } from "./pair.js";

/** Children of a loop: `rounds` of `perRound`, then what is left, written out. */
export interface LoopOfPairs extends Omit<Loop, "child"> {
  readonly child: PairPlan;
  readonly perRound: number;
  /** 0: all are written out. */
  readonly rounds: number;
  /** Whether a child leaves the loop counters alone. */
  readonly isPlain: boolean;
}

/** The moves of records of a table, so many records a round. */
export interface TableMoves {
  readonly chunks: readonly Chunk[];
  readonly perRound: number;
}

export interface WalkOfPairs {
  readonly kind: "walk";
  readonly displacementsBytes: IntegerTable;
  readonly child: PairPlan;
  /** Moves of children that are short runs; undefined: other children are moved one by one. */
  readonly moves: TableMoves | undefined;
}

export interface OverlapsOfPairs {
  readonly kind: "overlaps";
  readonly displacementsBytes: IntegerTable;
  readonly moves: TableMoves;
}

export interface MembersOfPairs {
  readonly kind: "members";
  readonly members: readonly {
    readonly sourceBytes: number;
    readonly targetBytes: number;
    readonly pair: PairPlan;
  }[];
}

export interface TransposeOfPairs {
  readonly kind: "transposed";
  readonly transposed: Transposed;
  readonly plan: TransposePlan;
}

/** A nest, the rule that ordered it, and why each rule before it did not. */
export interface NestOfPairs {
  readonly kind: "nest";
  readonly rule: string;
  readonly passed: readonly string[];
  readonly pair: PairPlan;
}

/** How a pair (pair.ts) is moved. */
export type PairPlan =
  | Run
  | LoopOfPairs
  | WalkOfPairs
  | OverlapsOfPairs
  | MembersOfPairs
  | TransposeOfPairs
  | NestOfPairs;
