import { forEachRun, stridedBlock, type Layout } from "@stowage/ir";
import { coverage, shownBytes, type Coverage, type Shown } from "./coverage.js";

/** The cells of a picture, in rows; where the datatype has a pitch that fits the page, a row is one pitch of it. */
export interface Grid extends Coverage {
  readonly columns: number;
  readonly rows: number;
  /** Cell at which each block begins, in packed order; empty where the blocks are too many to be told apart. */
  readonly blockStarts: readonly number[];
}

interface Page {
  readonly columns: number;
  readonly bytesPerCell: number;
}

const LEAST_COLUMNS = 8;
const MOST_COLUMNS = 96;
const MOST_ROWS = 48;
const MOST_NUMBERED = 64;

export function grid(layout: Layout, count: number): Grid {
  const shown = shownBytes(layout, count);
  const { columns, bytesPerCell } = pageOfPitch(layout, shown) ?? fullPage(shown);
  const picture = coverage(layout, count, bytesPerCell);
  return {
    ...picture,
    columns,
    rows: Math.ceil(picture.filled.length / columns),
    blockStarts: blockStarts(layout, count, picture),
  };
}

/** One pitch a row, for the innermost stride whose rows fit and that whole cells make up. */
function pageOfPitch(layout: Layout, { lowBytes, highBytes }: Shown): Page | undefined {
  const strides = (stridedBlock(layout)?.stridesBytes ?? []).map(Math.abs);
  for (const pitch of strides) {
    if (pitch < LEAST_COLUMNS || (highBytes - lowBytes) / pitch > MOST_ROWS) continue;
    const columns = mostColumns(pitch);
    if (columns !== undefined) return { columns, bytesPerCell: pitch / columns };
  }
  return undefined;
}

function mostColumns(pitch: number): number | undefined {
  for (let columns = MOST_COLUMNS; columns >= LEAST_COLUMNS; columns--) if (pitch % columns === 0) return columns;
  return undefined;
}

function fullPage({ lowBytes, highBytes }: Shown): Page {
  const sizeBytes = highBytes - lowBytes;
  const bytesPerCell = Math.ceil(sizeBytes / (MOST_COLUMNS * MOST_ROWS));
  return { columns: Math.min(MOST_COLUMNS, Math.ceil(sizeBytes / bytesPerCell)), bytesPerCell };
}

function blockStarts(layout: Layout, count: number, { lowBytes, bytesPerCell }: Coverage): readonly number[] {
  if (count * layout.root.blockCount > MOST_NUMBERED) return [];
  const starts: number[] = [];
  forEachRun(layout, { count, first: 0, length: count * layout.sizeBytes }, (offsetBytes) => {
    starts.push(Math.floor((offsetBytes - lowBytes) / bytesPerCell));
  });
  return starts;
}
