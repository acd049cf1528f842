import { isDeepStrictEqual } from "node:util";

/** What changes from size to size, for lengths from `least` to the next. */
export interface OfLengths<Change> {
  readonly least: number;
  readonly changes: readonly Change[];
}

/**
 * The first length's changes are of all shorter ones too; a length whose changes are those of the one before it is left
 * out.
 */
export function byLengths<Change>(
  lengths: readonly number[],
  changesOf: (length: number) => readonly Change[],
): readonly OfLengths<Change>[] {
  const all = lengths.map((length, i) => ({ least: i === 0 ? 0 : length, changes: changesOf(length) }));
  return all.filter(({ changes }, i) => i === 0 || !isDeepStrictEqual(changes, all[i - 1]?.changes));
}
