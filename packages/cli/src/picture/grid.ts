import { forEachRun, stridedBlock, type Layout } from "@stowage/ir";
import { coverage, type Coverage } from "./coverage.js";

/** The cells of a picture, in rows; where the datatype has a pitch that fits, a row is one pitch of it. */
export interface Grid extends Coverage {
  readonly columns: number;
  readonly rows: number;
  /** Cell at which each block begins, in packed order; empty where the blocks are too many to be told apart. */
  readonly blockStarts: readonly number[];
}

const MOST_COLUMNS = 96;
const MOST_ROWS = 48;
const MOST_NUMBERED = 64;

export function grid(layout: Layout, count: number): Grid {
  const picture = coverage(layout, count, MOST_COLUMNS * MOST_ROWS);
  const columns = columnsOf(layout, picture);
  return {
    ...picture,
    columns,
    rows: Math.ceil(picture.filled.length / columns),
    blockStarts: blockStarts(layout, count, picture),
  };
}

/** One pitch a row where a stride is a whole number of cells and its rows fit; else as wide as the page. */
function columnsOf(layout: Layout, { bytesPerCell, filled }: Coverage): number {
  const strides = (stridedBlock(layout)?.stridesBytes ?? []).map(Math.abs);
  const pitches = strides.map((strideBytes) => strideBytes / bytesPerCell);
  const fits = pitches.find(
    (pitch) => Number.isInteger(pitch) && pitch >= 8 && pitch <= MOST_COLUMNS && filled.length / pitch <= MOST_ROWS,
  );
  return fits ?? Math.min(MOST_COLUMNS, Math.max(1, filled.length));
}

function blockStarts(layout: Layout, count: number, { lowBytes, bytesPerCell }: Coverage): readonly number[] {
  if (count * layout.root.blockCount > MOST_NUMBERED) return [];
  const starts: number[] = [];
  forEachRun(layout, { count, first: 0, length: count * layout.sizeBytes }, (offsetBytes) => {
    starts.push(Math.floor((offsetBytes - lowBytes) / bytesPerCell));
  });
  return starts;
}
