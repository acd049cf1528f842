import type { IntegerTable } from "@stowage/ir";

export type WordBytes = 1 | 2 | 4 | 8;

/**
 * The displacements of a FINAL primitive's blocks, counted in the widest word that divides them all: what the inner
 * loops index typed arrays with. Where blocks differ in length, the word divides their lengths too.
 */
export interface WordTable {
  readonly unitBytes: WordBytes;
  readonly displacements: Int32Array;
  /** Absent where all blocks are equal. */
  readonly lengths: Int32Array | undefined;
  /** Lowest, and one past the highest, byte that the blocks touch. */
  readonly lowBytes: number;
  readonly highBytes: number;
}

/**
 * The blocks are `blockBytes` long, or from one entry of `starts` to the next. Undefined where displacements do not
 * fit 32 bits even in words: such blocks move one at a time.
 */
export function wordTable(
  displacementsBytes: IntegerTable,
  blockBytes: number,
  starts: IntegerTable | undefined,
): WordTable | undefined {
  let lowBytes = Infinity;
  let highBytes = -Infinity;
  for (let i = 0; i < displacementsBytes.length; i++) {
    const lengthBytes = starts === undefined ? blockBytes : (starts[i + 1] as number) - (starts[i] as number);
    if (lengthBytes === 0) continue;
    const displacementBytes = displacementsBytes[i] as number;
    if (displacementBytes < lowBytes) lowBytes = displacementBytes;
    if (displacementBytes + lengthBytes > highBytes) highBytes = displacementBytes + lengthBytes;
  }
  const unitBytes = widestWord(displacementsBytes, starts === undefined ? 8 : widestWord(starts, 8));
  const limitBytes = 2 ** 31 * unitBytes;
  if (lowBytes < -limitBytes || highBytes > limitBytes) return undefined;
  const displacements = inWords(displacementsBytes, unitBytes);
  const lengths = starts && lengthsInWords(starts, unitBytes);
  return { unitBytes, displacements, lengths, lowBytes, highBytes };
}

/** The widest word of at most `limit` bytes that divides every entry. */
function widestWord(table: IntegerTable, limit: WordBytes): WordBytes {
  let word = limit;
  for (let i = 0; i < table.length && word > 1; i++) {
    while (!Number.isInteger((table[i] as number) / word)) word = HALF[word];
  }
  return word;
}

const HALF = { 8: 4, 4: 2, 2: 1, 1: 1 } as const;

function inWords(table: IntegerTable, wordBytes: WordBytes): Int32Array {
  if (wordBytes === 1 && table instanceof Int32Array) return table;
  const words = new Int32Array(table.length);
  for (let i = 0; i < table.length; i++) words[i] = (table[i] as number) / wordBytes;
  return words;
}

function lengthsInWords(starts: IntegerTable, wordBytes: WordBytes): Int32Array {
  const words = new Int32Array(starts.length - 1);
  for (let i = 0; i < words.length; i++) words[i] = ((starts[i + 1] as number) - (starts[i] as number)) / wordBytes;
  return words;
}
