import { forEachRun, type Layout } from "@stowage/ir";

/** How full each of `cells` equal pieces of a span of memory is: bytes of the datatype over bytes of the piece. */
export interface Coverage {
  readonly lowBytes: number;
  readonly highBytes: number;
  readonly bytesPerCell: number;
  /** 0 (untouched) to 1 (every byte moved). Overlapping entries count once each, capped at 1. */
  readonly filled: Float64Array;
}

/** Blocks beyond this many are sampled from the first ones alone: a picture has no more pixels. */
const MOST_BLOCKS = 4_000_000;

/** The picture's data: `count` elements over at most `cells` pieces of whole bytes. */
export function coverage(layout: Layout, count: number, cells: number): Coverage {
  const last = (count - 1) * layout.extentBytes;
  const low = layout.trueLowerBoundBytes;
  const lowBytes = Math.min(low, low + last, layout.lowerBoundBytes);
  const highBytes = Math.max(
    low + layout.trueExtentBytes + Math.max(0, last),
    layout.lowerBoundBytes + layout.extentBytes,
    lowBytes + 1,
  );
  const bytesPerCell = Math.ceil((highBytes - lowBytes) / cells);
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
