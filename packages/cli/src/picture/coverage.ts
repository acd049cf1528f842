import { forEachRun, type Layout } from "@stowage/ir";

/** The part of memory that a picture shows: everything between the bounds, and everything touched. */
export interface Shown {
  readonly lowBytes: number;
  readonly highBytes: number;
}

/** How full each piece of `bytesPerCell` bytes of memory is: bytes of the datatype over bytes of the piece. */
export interface Coverage extends Shown {
  readonly bytesPerCell: number;
  /** 0 (untouched) to 1 (every byte moved). Overlapping entries count each, capped at 1. */
  readonly filled: Float64Array;
}

export function shownBytes(layout: Layout, count: number): Shown {
  const last = (count - 1) * layout.extentBytes;
  const { lowerBoundBytes, trueLowerBoundBytes } = layout;
  const lowBytes = Math.min(trueLowerBoundBytes, lowerBoundBytes) + Math.min(0, last);
  const endBytes = Math.max(trueLowerBoundBytes + layout.trueExtentBytes, lowerBoundBytes + layout.extentBytes);
  return { lowBytes, highBytes: Math.max(endBytes + Math.max(0, last), lowBytes + 1) };
}

/** Blocks beyond this many are left out: there are not as many cells to tell them apart in. */
const MOST_BLOCKS = 4_000_000;

export function coverage(layout: Layout, count: number, bytesPerCell: number): Coverage {
  const { lowBytes, highBytes } = shownBytes(layout, count);
  const filled = new Float64Array(Math.ceil((highBytes - lowBytes) / bytesPerCell));
  const mean = layout.root.blockCount === 0 ? 1 : layout.sizeBytes / layout.root.blockCount;
  const length = Math.min(count * layout.sizeBytes, Math.floor(MOST_BLOCKS * mean));
  forEachRun(layout, { count, first: 0, length }, (offsetBytes, lengthBytes) => {
    addRun(filled, offsetBytes - lowBytes, lengthBytes, bytesPerCell);
  });
  for (let i = 0; i < filled.length; i++) filled[i] = Math.min(1, (filled[i] as number) / bytesPerCell);
  return { lowBytes, highBytes, bytesPerCell, filled };
}

function addRun(filled: Float64Array, from: number, lengthBytes: number, bytesPerCell: number): void {
  const end = from + lengthBytes;
  for (let cell = Math.floor(from / bytesPerCell); cell * bytesPerCell < end; cell++) {
    const covered = Math.min(end, (cell + 1) * bytesPerCell) - Math.max(from, cell * bytesPerCell);
    filled[cell] = (filled[cell] ?? 0) + covered;
  }
}
