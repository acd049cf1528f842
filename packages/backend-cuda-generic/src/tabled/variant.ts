import type { TableIndex } from "@stowage/backend-api";
import type { WordBytes } from "../kernel/variant.js";

/** What the kernel of moves with tables is built for. Layouts, tables and memory stay data. */
export interface TabledVariant {
  readonly wordBytes: WordBytes;
  /** Threads that share an element, a power of two up to a block; words that each has in flight. */
  readonly threadsPerElement: number;
  readonly unroll: number;
  readonly source: TabledSideForm;
  readonly target: TabledSideForm;
  /** Whether an entry of -1 leaves its element where it is. */
  readonly skips: boolean;
  /** Whether the number of elements is read by the kernel. */
  readonly counted: boolean;
  /** Whether some element takes its threads more than once. */
  readonly inPieces: boolean;
  /** Whether a range begins or ends within an element. */
  readonly isPart: boolean;
  readonly positionBits: 32 | 64;
  readonly tableBits: 32 | 64;
  readonly branching: boolean;
  readonly searched: boolean;
}

/** How a side's elements are placed, and whether each is one run from its address 0. */
export interface TabledSideForm {
  readonly index: TableIndex | "none";
  readonly dense: boolean;
}

export const TABLED_THREADS = 256;

export function tabledName(variant: TabledVariant): string {
  const { wordBytes, threadsPerElement, unroll, source, target, positionBits, tableBits } = variant;
  const side = ({ index, dense }: TabledSideForm): string => `${index}${dense ? "d" : ""}`;
  const flags = (["skips", "counted", "inPieces", "isPart", "branching", "searched"] as const)
    .filter((flag) => variant[flag])
    .join("_");
  return `tabled_w${wordBytes}_e${threadsPerElement}_u${unroll}_${side(source)}_${side(target)}_p${positionBits}_t${tableBits}${flags === "" ? "" : `_${flags}`}`;
}
