import { forEachRun, type Layout } from "@stowage/ir";
import type { Page } from "./page.js";
import { shownBytes, type Shown } from "./shown.js";

/** How full each cell of a page is: bytes of the datatype over bytes of the cell. */
export interface Coverage extends Shown, Page {
  /** 0 (untouched) to 1 (every byte moved). Overlapping entries count each, capped at 1. */
  readonly filled: Float64Array;
}

/** Blocks beyond this many are left out: there are not as many cells to tell them apart in. */
const MOST_BLOCKS = 4_000_000;

export function coverage(layout: Layout, count: number, page: Page): Coverage {
  const { lowBytes, highBytes } = shownBytes(layout, count);
  const filled = new Float64Array(cellAt(page, highBytes - lowBytes - 1) + 1);
  const mean = layout.root.blockCount === 0 ? 1 : layout.sizeBytes / layout.root.blockCount;
  const length = Math.min(count * layout.sizeBytes, Math.floor(MOST_BLOCKS * mean));
  forEachRun(layout, { count, first: 0, length }, (offsetBytes, lengthBytes) => {
    addRun(filled, page, offsetBytes - lowBytes, lengthBytes);
  });
  for (let cell = 0; cell < filled.length; cell++)
    filled[cell] = Math.min(1, (filled[cell] as number) / (startOf(page, cell + 1) - startOf(page, cell)));
  return { lowBytes, highBytes, ...page, filled };
}

/** The cell that holds a byte. */
export function cellAt({ pitchBytes, columns, bytesPerCell }: Page, offsetBytes: number): number {
  const row = Math.floor(offsetBytes / pitchBytes);
  return row * columns + Math.floor((offsetBytes - row * pitchBytes) / bytesPerCell);
}

/** The first byte of a cell. */
function startOf({ pitchBytes, columns, bytesPerCell }: Page, cell: number): number {
  return Math.floor(cell / columns) * pitchBytes + (cell % columns) * bytesPerCell;
}

function addRun(filled: Float64Array, page: Page, from: number, lengthBytes: number): void {
  const end = from + lengthBytes;
  for (let cell = cellAt(page, from), start = startOf(page, cell); start < end;) {
    const next = startOf(page, cell + 1);
    filled[cell] = (filled[cell] ?? 0) + Math.min(end, next) - Math.max(from, start);
    [cell, start] = [cell + 1, next];
  }
}
