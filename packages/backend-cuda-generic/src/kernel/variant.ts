import type { Reduction } from "@stowage/backend-api";
import type { PlanSpace } from "./plan-block.js";

export type WordBytes = 1 | 2 | 4 | 8 | 16;

/**
 * How a transfer's body moves: word by word, both sides aligned; or in packed chunks of 16 bytes, gathered from or
 * scattered to runs of any length and alignment; or equal runs in pieces of 16 bytes, each from its own start.
 */
export type Mode = WordBytes | "gather" | "scatter" | "scatterRuns";

/** By their number in a transfer's record. */
export const MODES: readonly Mode[] = [1, 2, 4, 8, 16, "gather", "scatter", "scatterRuns"];
export const CHUNK_BYTES = 16;

/** Packed bytes that one step of a mode moves. */
export const stepBytes = (mode: Mode): WordBytes => (typeof mode === "number" ? mode : CHUNK_BYTES);

/** What the generic kernel is built for; everything about the datatype stays data. */
export interface Variant {
  /** Bits of packed positions: 32 where a range ends below 2^31. */
  readonly positionBits: 32 | 64;
  /** Bits of table entries. */
  readonly tableBits: 32 | 64;
  /** The modes of the launch's transfers. */
  readonly modes: readonly Mode[];
  /** Whether layouts hold sequences, so that the words of one thread may walk different ways. */
  readonly branching: boolean;
  /** Whether layouts hold lists that must be searched: runs, blocks or sequences. */
  readonly searched: boolean;
  /** The side that is one run in every transfer: a position there is its offset, and no walk is needed. */
  readonly denseSide: "source" | "target" | "none";
  /** Whether a side may lie in several allocations. */
  readonly regions: boolean;
  readonly space: PlanSpace;
  /** Bytes of what lies there, where it is a parameter or copied to shared memory. */
  readonly planBytes: number;
  /** Bytes of the list of transfers, where that is a parameter of its own; 0 or absent: it lies before the layouts. */
  readonly listBytes?: number;
  /** Whether there is one transfer, whose record is at a known place. */
  readonly alone?: boolean;
  /** Words a thread moves at a time, their loads independent of each other. */
  readonly unroll: number;
  readonly maxThreads: number;
  readonly hints: DataHints;
  /**
   * What becomes of the elements that are there; absent: they are overwritten. Modes are then the bytes of an access.
   */
  readonly reduction?: Reduction | undefined;
  /** Whether addresses are only computed, and nothing is moved: for timing the walk by itself. */
  readonly traverses?: boolean;
}

/** How loads and stores of the data treat the caches; tables are always kept (PTX ISA, "Cache Operators"). */
export interface DataHints {
  /** Whether loads bypass L1, and leave it to the tables. */
  readonly bypassL1: boolean;
  /** The cache operator of stores: "wb" keeps what is written, "cs" lets it leave L2 first, "wt" writes it through. */
  readonly storeOperator: "wb" | "cs" | "wt";
  /** The cache operator of loads, of moves with tables alone: "ca" keeps what is read, "cs" lets it leave L2 first. */
  readonly loadOperator?: "ca" | "cs";
}

const DENSE_FLAG = { source: "u", target: "p", none: "" } as const;

/** Names a variant and thereby its kernel. */
export function variantName(variant: Variant): string {
  const {
    positionBits,
    tableBits,
    modes,
    branching,
    searched,
    denseSide,
    regions,
    space,
    planBytes,
    listBytes = 0,
    alone = false,
    unroll,
    maxThreads,
    hints,
    reduction,
    traverses,
  } = variant;
  const flags = `${branching ? "b" : ""}${searched ? "s" : ""}${DENSE_FLAG[denseSide]}${regions ? "r" : ""}`;
  const place = `${space}${planBytes}${listBytes === 0 ? "" : `_l${listBytes}`}${alone ? "_alone" : ""}`;
  return `generic_p${positionBits}_t${tableBits}_m${modes.join("_")}_${place}_u${unroll}_n${maxThreads}${flags}_${hints.storeOperator}${hints.bypassL1 ? "_pass" : ""}${traverses === true ? "_traverse" : ""}${reduction === undefined ? "" : `_${reduction.op}_${reduction.element}`}`;
}
