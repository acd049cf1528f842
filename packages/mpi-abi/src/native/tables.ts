import { integerTable, type IntegerTable } from "@stowage/ir";

const WORD = 2 ** 32;

/** As C's `int[]`. The values must fit. */
export function intTable(list: IntegerTable | readonly number[]): Int32Array {
  return list instanceof Int32Array ? list : Int32Array.from(list);
}

/** As C's `MPI_Aint[]` or `MPI_Count[]`. Written by halves: a BigInt an entry would cost more than the MPI call. */
export function wideTable(list: IntegerTable | readonly number[]): Uint32Array {
  const words = new Uint32Array(2 * list.length);
  for (let i = 0; i < list.length; i++) {
    const value = list[i] as number;
    words[2 * i] = value; // stored modulo 2^32
    words[2 * i + 1] = Math.floor(value / WORD);
  }
  return words;
}

/** Integers that a call wrote as `MPI_Aint[]` or `MPI_Count[]`. */
export function readWide(words: BigInt64Array): IntegerTable {
  return integerTable(words.length, (i) => Number(words[i]));
}
