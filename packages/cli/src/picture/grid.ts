import { forEachRun, type Layout } from "@stowage/ir";
import { cellAt, coverage, type Coverage } from "./coverage.js";
import { pageOf } from "./page.js";
import { shownBytes } from "./shown.js";

/** The cells of a picture, in rows; where the datatype has a pitch that fits the page, a row is one pitch of it. */
export interface Grid extends Coverage {
  readonly rows: number;
  /** Cell at which each block begins, in packed order; empty where the blocks are too many to be told apart. */
  readonly blockStarts: readonly number[];
}

const ROOM = { columns: 96, pitchedRows: 48, rows: 48 };
const MOST_NUMBERED = 64;

export function grid(layout: Layout, count: number): Grid {
  const picture = coverage(layout, count, pageOf(layout, shownBytes(layout, count), ROOM));
  return {
    ...picture,
    rows: Math.ceil(picture.filled.length / picture.columns),
    blockStarts: blockStarts(layout, count, picture),
  };
}

function blockStarts(layout: Layout, count: number, picture: Coverage): readonly number[] {
  if (count * layout.root.blockCount > MOST_NUMBERED) return [];
  const starts: number[] = [];
  forEachRun(layout, { count, first: 0, length: count * layout.sizeBytes }, (offsetBytes) => {
    starts.push(cellAt(picture, offsetBytes - picture.lowBytes));
  });
  return starts;
}
