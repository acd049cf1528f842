import type { Blocks } from "@stowage/ir";
import type { Chunk } from "./chunks.js";

/** How blocks are moved whose places a table has. */
export type WalkPlan =
  | {
      /** In the order of addresses: pairs of words, where each block lies and where it is in the packed stream. */
      readonly what: "sorted";
      readonly words: Int32Array;
      /** Moves of a block. */
      readonly chunks: readonly Chunk[];
    }
  | {
      readonly what: "short runs";
      /** Entries of a round. */
      readonly entries: number;
      /** Whether they are put together in registers. */
      readonly merged: boolean;
      /** Entries that are prefetched ahead; 0: none. */
      readonly ahead: number;
    }
  | { readonly what: "nested" };

/** Blocks of one child each. */
export interface WalkedBlocks {
  readonly node: Blocks;
  /** Whether all of them are moved, one after another; else as many as are asked for, from any entry on. */
  readonly isWhole: boolean;
}
