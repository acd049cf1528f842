import type { IntegerTable } from "@stowage/ir";
import { wordTable, type WordTable } from "./word-table.js";

/**
 * One loop of a program, ready to run. Iteration i stands at displacementsBytes[i], or at i × strideBytes where there
 * are none, and runs the child (of a STRUCT: the member's) over its copies. In a leaf the iterations are blocks, runs
 * of bytes. Every level has the same fields in the same order: the interpreter's accesses stay monomorphic.
 */
export interface Level {
  /** Index of its primitive in the program; -1 for the loop over the elements. */
  readonly primitive: number;
  /** BY_COPIES: as many as the block around it has copies (CONTIGCHILD, and the loop over the elements). */
  readonly count: number;
  readonly strideBytes: number;
  readonly displacementsBytes: IntegerTable | undefined;
  /** Iterations of the program's loop in one of this level's: 1, unless flattening put several into one leaf. */
  readonly tile: number;
  /** Copies in each iteration of the program's loop; in iteration i, where blocklengths are there. */
  readonly blocklength: number;
  readonly blocklengths: IntegerTable | undefined;
  /** Packed bytes of one iteration, where all are equal: of a leaf, its blocks' length. */
  readonly stepBytes: number;
  /** Packed byte at which each iteration begins, and the end of the last; only where iterations differ. */
  readonly starts: IntegerTable | undefined;
  readonly leaf: boolean;
  readonly words: WordTable | undefined;
  readonly child: Level | undefined;
  readonly members: readonly Level[] | undefined;
}

export const BY_COPIES = -1;

export type Iterations = Pick<Level, "primitive" | "count" | "stepBytes"> & Partial<Omit<Level, "leaf" | "words">>;

/** A level with these iterations: a leaf where they have neither child nor members. */
export function level(iterations: Iterations): Level {
  const { displacementsBytes, stepBytes, starts, child, members } = iterations;
  const leaf = child === undefined && members === undefined;
  return Object.freeze({
    primitive: iterations.primitive,
    count: iterations.count,
    strideBytes: (iterations.strideBytes ?? 0) + 0, // never -0, which no engine holds as a small integer
    displacementsBytes,
    tile: iterations.tile ?? 1,
    blocklength: iterations.blocklength ?? 1,
    blocklengths: iterations.blocklengths,
    stepBytes,
    starts,
    leaf,
    words: leaf && displacementsBytes ? wordTable(displacementsBytes, stepBytes, starts) : undefined,
    child,
    members,
  });
}

/** starts[i] = the sum of all lengths before i; one entry more than there are lengths. */
export function prefixSums(count: number, lengthAt: (i: number) => number): IntegerTable {
  const sums = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) sums[i + 1] = (sums[i] as number) + lengthAt(i);
  const fits = (sums[count] as number) < 2 ** 31;
  return fits ? new Int32Array(sums) : sums;
}

/** Where iteration i stands, from where the level does. */
export function offsetOf({ displacementsBytes, strideBytes }: Level, i: number): number {
  return displacementsBytes === undefined ? i * strideBytes : (displacementsBytes[i] as number);
}

/** The iteration that moves the level's packed byte `packedByte`: a division, or a binary search of its starts. */
export function iterationAt({ starts, stepBytes }: Level, packedByte: number): number {
  if (starts === undefined) return packedByte === 0 ? 0 : Math.floor(packedByte / stepBytes);
  let low = 0;
  let high = starts.length - 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if ((starts[middle] as number) <= packedByte) low = middle;
    else high = middle;
  }
  return low;
}

/** Packed byte of the level at which iteration i begins. */
export function startOf({ starts, stepBytes }: Level, i: number): number {
  return starts === undefined ? i * stepBytes : (starts[i] as number);
}

/**
 * How many copies of its child iteration i holds, where the child counts copies; `count` is that of the program's loop.
 */
export function copiesOf({ blocklengths, blocklength, tile }: Level, i: number, count: number): number {
  if (blocklengths !== undefined) return blocklengths[i] as number;
  return tile === 1 ? blocklength : Math.min(tile, count - i * tile) * blocklength;
}

/** What iteration i of a level that is no leaf runs. */
export function childOf({ child, members }: Level, i: number): Level {
  return (members === undefined ? child : members[i]) as Level;
}

/** The iteration after i, past those that move nothing. */
export function nextIteration({ starts, count }: Level, i: number): number {
  let next = i + 1;
  if (starts !== undefined) while (next < count && starts[next] === starts[next + 1]) next++;
  return next;
}

/** Lowest, and one past the highest, byte of `count` of a leaf's irregular blocks from `first` on. */
export function reachOf(leaf: Level, first: number, count: number): { lowBytes: number; highBytes: number } {
  let lowBytes = Infinity;
  let highBytes = -Infinity;
  for (let i = first; i < first + count; i++) {
    const displacementBytes = offsetOf(leaf, i);
    lowBytes = Math.min(lowBytes, displacementBytes);
    highBytes = Math.max(highBytes, displacementBytes + startOf(leaf, i + 1) - startOf(leaf, i));
  }
  return { lowBytes, highBytes };
}
