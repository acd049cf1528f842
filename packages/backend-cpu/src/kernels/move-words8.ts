// Written by scripts/cpu-kernels.mjs.
import { inWords, scaleOf, type Cursor } from "../machine/cursor.js";
import type { WordTable } from "../machine/word-table.js";
import { gatherMany8, gatherOne8, gatherThree8, gatherTwo8 } from "./gather-words8.js";
import { scatterMany8, scatterOne8, scatterThree8, scatterTwo8 } from "./scatter-words8.js";
import { stridedMany8, stridedOne8, stridedThree8, stridedTwo8 } from "./strided-words8.js";

/** Picks the loop over 8-byte words for the cursors' shape and the words of a block. */
export function moveWords8(source: Cursor, target: Cursor, count: number, words: number): void {
  if (source.table !== undefined) return gather(source, source.table, target, count, words);
  if (target.table !== undefined) return scatter(source, target, target.table, count, words);
  const from = source.region.words8;
  const at = inWords(source.at, 8);
  const stride = inWords(source.strideBytes, 8);
  const to = target.region.words8;
  const toAt = inWords(target.at, 8);
  const toStride = inWords(target.strideBytes, 8);
  if (words === 1) return stridedOne8(from, at, stride, to, toAt, toStride, count);
  if (words === 2) return stridedTwo8(from, at, stride, to, toAt, toStride, count);
  if (words === 3) return stridedThree8(from, at, stride, to, toAt, toStride, count);
  stridedMany8(from, at, stride, to, toAt, toStride, count, words);
}

function gather(source: Cursor, table: WordTable, target: Cursor, count: number, words: number): void {
  const from = source.region.words8;
  const at = inWords(source.at, 8);
  const { displacements } = table;
  const scale = scaleOf(table, 8);
  const first = source.block;
  const to = target.region.words8;
  const toAt = inWords(target.at, 8);
  const toStride = inWords(target.strideBytes, 8);
  if (words === 1) return gatherOne8(from, at, displacements, scale, first, to, toAt, toStride, count);
  if (words === 2) return gatherTwo8(from, at, displacements, scale, first, to, toAt, toStride, count);
  if (words === 3) return gatherThree8(from, at, displacements, scale, first, to, toAt, toStride, count);
  gatherMany8(from, at, displacements, scale, first, to, toAt, toStride, count, words);
}

function scatter(source: Cursor, target: Cursor, table: WordTable, count: number, words: number): void {
  const from = source.region.words8;
  const at = inWords(source.at, 8);
  const stride = inWords(source.strideBytes, 8);
  const to = target.region.words8;
  const toAt = inWords(target.at, 8);
  const { displacements } = table;
  const scale = scaleOf(table, 8);
  const first = target.block;
  if (words === 1) return scatterOne8(from, at, stride, to, toAt, displacements, scale, first, count);
  if (words === 2) return scatterTwo8(from, at, stride, to, toAt, displacements, scale, first, count);
  if (words === 3) return scatterThree8(from, at, stride, to, toAt, displacements, scale, first, count);
  scatterMany8(from, at, stride, to, toAt, displacements, scale, first, count, words);
}
