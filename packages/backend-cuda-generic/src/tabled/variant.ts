import type { TableIndex } from "@stowage/backend-api";
import type { DataHints, WordBytes } from "../kernel/variant.js";

/** How the words of an element are moved. */
export interface TabledWords {
  readonly wordBytes: WordBytes;
  /** Whether words of the target are put together of two of the source, whatever the alignment of either. */
  readonly shifts: boolean;
  /** Threads that share an element, a power of two up to a block; words that each has in flight. */
  readonly threadsPerElement: number;
  readonly unroll: number;
  /** Elements, or pieces of them, that the threads of one take one after the other, their entries read at once. */
  readonly elementsAtOnce: number;
  /** How often an element takes its threads, where that is the same for all moves of these words. */
  readonly pieces: number | "differing";
}

/** What the kernel of moves with tables is built for. Layouts, tables and memory stay data. */
export interface TabledVariant extends TabledWords {
  /** The words of moves whose records ask for narrower ones; undefined where all moves take the same words. */
  readonly narrow?: TabledWords;
  readonly source: TabledSideForm;
  readonly target: TabledSideForm;
  /** Whether an entry of -1 leaves its element where it is. */
  readonly skips: boolean;
  /** Whether the number of elements is read by the kernel. */
  readonly counted: boolean;
  /** Whether a range begins or ends within an element. */
  readonly isPart: boolean;
  readonly positionBits: 32 | 64;
  readonly tableBits: 32 | 64;
  readonly branching: boolean;
  readonly searched: boolean;
  /** What a tile is sought among: one pool, pools of one group, or groups. */
  readonly among: "one" | "pools" | "groups";
  /** Bytes of the kernel's own parameters that hold the records; 0 where they lie in device memory. */
  readonly planBytes: number;
  readonly hints: DataHints;
}

/** How a side's elements are placed, and whether each is one run from its address 0. */
export interface TabledSideForm {
  readonly index: TableIndex | "none";
  readonly dense: boolean;
}

export const TABLED_THREADS = 256;

export function tabledName(variant: TabledVariant): string {
  const { narrow, source, target, positionBits, tableBits, among, planBytes, hints } = variant;
  const side = ({ index, dense }: TabledSideForm): string => `${index}${dense ? "d" : ""}`;
  const words = [
    `tabled_${wordsName(variant)}`,
    `${side(source)}_${side(target)}_p${positionBits}_t${tableBits}_${among}_b${planBytes}`,
    ...(narrow === undefined ? [] : [wordsName(narrow)]),
    ...(["skips", "counted", "isPart", "branching", "searched"] as const).filter((flag) => variant[flag]),
    ...(hints.bypassL1 ? ["na"] : []),
    ...(hints.loadOperator === "cs" ? ["from_cs"] : []),
    ...(hints.storeOperator === "wb" ? [] : [hints.storeOperator]),
  ];
  return words.join("_");
}

const wordsName = ({ wordBytes, shifts, threadsPerElement, unroll, elementsAtOnce, pieces }: TabledWords): string =>
  `w${wordBytes}${shifts ? "s" : ""}_e${threadsPerElement}_u${unroll}_n${elementsAtOnce}_c${pieces}`;
