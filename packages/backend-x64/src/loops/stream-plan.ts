import type { NearRound } from "./near-round.js";
import type { PermutedBlocks } from "./permuted-blocks.js";
import type { WantedSlack } from "./wanted-slack.js";
import type { Transposed, TransposePlan } from "./transpose-plan.js";

/**
 * What is prefetched beside each block: single lines so many blocks ahead, or the first lines of the next round's
 * blocks.
 */
export type Prefetch =
  | { readonly what: "blocks ahead"; readonly blocks: number }
  | { readonly what: "heads"; readonly lines: number };

/** Children that are moved one by one. */
export interface SingleRound {
  readonly what: "single blocks";
  readonly children: number;
  readonly prefetch?: Prefetch;
  /** Whether each child's stores are done before the next child's begin. */
  readonly fenced?: true;
  /** Bytes of the mask of double words that loads all blocks of the round. */
  readonly dwordMaskBytes?: number;
}

/** Children that are put together in registers, `together` at a time. */
export interface MergedRound {
  readonly what: "merged stores";
  readonly children: number;
  readonly together: number;
  readonly prefetch?: Prefetch;
}

/** What one round of a loop moves: so many children. */
export type Round =
  | SingleRound
  | MergedRound
  | {
      readonly what: "columns";
      readonly children: number;
      readonly transposed: Transposed;
      readonly plan: TransposePlan;
    }
  | { readonly what: "permuted blocks"; readonly children: number; readonly permuted: PermutedBlocks }
  | { readonly what: "near blocks"; readonly children: number; readonly near: NearRound };

/** How the children of a stream are moved. */
export interface StreamPlan {
  /** The rule that fired. */
  readonly rule: string;
  /** Why each rule before it did not, in the order of `STREAM_RULES`. */
  readonly passed: readonly string[];
  /** The longest first; children that fill none are moved one by one. */
  readonly rounds: readonly Round[];
  /** Instead, where the rounds' constants find no register. */
  readonly otherwise?: StreamPlan;
  /**
   * Bytes past its children that a round moves where it may, and children at the end of a loop for which it may not.
   */
  readonly wanted: WantedSlack;
  readonly peeled: number;
  /** NOP padding behind each child. */
  readonly nops: number;
  /** Whether children that fill no round are long enough for a loop of their own. */
  readonly loopsRest: boolean;
  /** Whether a child leaves the loop counters alone, so that they may be registers. */
  readonly isPlain: boolean;
}

/** Whether a round reads no byte past its children, whatever it is allowed. */
export const isExact = ({ what }: Round): boolean => what === "columns" || what === "near blocks";
