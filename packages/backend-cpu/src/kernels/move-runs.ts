import { inWords, scaleOf, type Cursor } from "../machine/cursor.js";
import type { WordTable } from "../machine/word-table.js";
import { gatherRunsBytes, scatterRunsBytes } from "./bytes.js";
import { gatherRuns4, scatterRuns4 } from "./runs-words4.js";
import { gatherRuns8, scatterRuns8 } from "./runs-words8.js";

/** Moves `count` blocks of the lengths that the source's table holds into one run. */
export function gatherRuns(source: Cursor, table: WordTable, lengths: Int32Array, target: Cursor, count: number): void {
  const { displacements } = table;
  const { region, at, block } = source;
  const to = target.region;
  const toAt = target.at;
  const word = widestWord(table, at, toAt);
  const scale = scaleOf(table, word);
  if (word === 8) {
    gatherRuns8(
      region.words8,
      inWords(at, 8),
      displacements,
      lengths,
      scale,
      block,
      to.words8,
      inWords(toAt, 8),
      count,
    );
  } else if (word === 4) {
    gatherRuns4(
      region.words4,
      inWords(at, 4),
      displacements,
      lengths,
      scale,
      block,
      to.words4,
      inWords(toAt, 4),
      count,
    );
  } else gatherRunsBytes(region.view, at, displacements, lengths, scale, block, to.view, toAt, count);
}

/** Moves one run into `count` blocks of the lengths that the target's table holds. */
export function scatterRuns(
  source: Cursor,
  target: Cursor,
  table: WordTable,
  lengths: Int32Array,
  count: number,
): void {
  const { displacements } = table;
  const { region, at, block } = target;
  const from = source.region;
  const fromAt = source.at;
  const word = widestWord(table, at, fromAt);
  const scale = scaleOf(table, word);
  if (word === 8) {
    scatterRuns8(
      from.words8,
      inWords(fromAt, 8),
      region.words8,
      inWords(at, 8),
      displacements,
      lengths,
      scale,
      block,
      count,
    );
  } else if (word === 4) {
    scatterRuns4(
      from.words4,
      inWords(fromAt, 4),
      region.words4,
      inWords(at, 4),
      displacements,
      lengths,
      scale,
      block,
      count,
    );
  } else scatterRunsBytes(from.view, fromAt, region.view, at, displacements, lengths, scale, block, count);
}

function widestWord({ unitBytes }: WordTable, at: number, otherAt: number): 1 | 4 | 8 {
  if (unitBytes === 8 && Number.isInteger(at / 8) && Number.isInteger(otherAt / 8)) return 8;
  return unitBytes >= 4 && Number.isInteger(at / 4) && Number.isInteger(otherAt / 4) ? 4 : 1;
}
