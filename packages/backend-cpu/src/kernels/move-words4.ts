// Written by scripts/cpu-kernels.mjs.
import { inWords, scaleOf, type Cursor } from "../machine/cursor.js";
import type { WordTable } from "../machine/word-table.js";
import { gatherMany4, gatherOne4, gatherThree4, gatherTwo4 } from "./gather-words4.js";
import { scatterMany4, scatterOne4, scatterThree4, scatterTwo4 } from "./scatter-words4.js";
import { stridedMany4, stridedOne4, stridedThree4, stridedTwo4 } from "./strided-words4.js";

/** Picks the loop over 4-byte words for the cursors' shape and the words of a block. */
export function moveWords4(source: Cursor, target: Cursor, count: number, words: number): void {
  if (source.table !== undefined) return gather(source, source.table, target, count, words);
  if (target.table !== undefined) return scatter(source, target, target.table, count, words);
  const from = source.region.words4;
  const at = inWords(source.at, 4);
  const stride = inWords(source.strideBytes, 4);
  const to = target.region.words4;
  const toAt = inWords(target.at, 4);
  const toStride = inWords(target.strideBytes, 4);
  if (words === 1) return stridedOne4(from, at, stride, to, toAt, toStride, count);
  if (words === 2) return stridedTwo4(from, at, stride, to, toAt, toStride, count);
  if (words === 3) return stridedThree4(from, at, stride, to, toAt, toStride, count);
  stridedMany4(from, at, stride, to, toAt, toStride, count, words);
}

function gather(source: Cursor, table: WordTable, target: Cursor, count: number, words: number): void {
  const from = source.region.words4;
  const at = inWords(source.at, 4);
  const { displacements } = table;
  const scale = scaleOf(table, 4);
  const first = source.block;
  const to = target.region.words4;
  const toAt = inWords(target.at, 4);
  const toStride = inWords(target.strideBytes, 4);
  if (words === 1) return gatherOne4(from, at, displacements, scale, first, to, toAt, toStride, count);
  if (words === 2) return gatherTwo4(from, at, displacements, scale, first, to, toAt, toStride, count);
  if (words === 3) return gatherThree4(from, at, displacements, scale, first, to, toAt, toStride, count);
  gatherMany4(from, at, displacements, scale, first, to, toAt, toStride, count, words);
}

function scatter(source: Cursor, target: Cursor, table: WordTable, count: number, words: number): void {
  const from = source.region.words4;
  const at = inWords(source.at, 4);
  const stride = inWords(source.strideBytes, 4);
  const to = target.region.words4;
  const toAt = inWords(target.at, 4);
  const { displacements } = table;
  const scale = scaleOf(table, 4);
  const first = target.block;
  if (words === 1) return scatterOne4(from, at, stride, to, toAt, displacements, scale, first, count);
  if (words === 2) return scatterTwo4(from, at, stride, to, toAt, displacements, scale, first, count);
  if (words === 3) return scatterThree4(from, at, stride, to, toAt, displacements, scale, first, count);
  scatterMany4(from, at, stride, to, toAt, displacements, scale, first, count, words);
}
