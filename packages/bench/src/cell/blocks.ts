import { forEachRun, type Layout, type VisitRun } from "@stowage/ir";

/**
 * Visits the blocks of `count` elements in packed order: runs that follow each other in memory are one block. `visit`
 * gets a block's offset from the datatype's address 0, and its length, in bytes.
 */
export function forEachBlock(layout: Layout, count: number, visit: VisitRun): void {
  let start = 0;
  let length = 0;
  forEachRun(layout, { count, first: 0, length: count * layout.sizeBytes }, (offsetBytes, lengthBytes) => {
    if (offsetBytes === start + length) {
      length += lengthBytes;
      return;
    }
    if (length > 0) visit(start, length);
    start = offsetBytes;
    length = lengthBytes;
  });
  if (length > 0) visit(start, length);
}

/** Whether each block lies beyond the one before it. */
export function liesInOrder(layout: Layout, count: number): boolean {
  let end = -Infinity;
  let inOrder = true;
  forEachRun(layout, { count, first: 0, length: count * layout.sizeBytes }, (offsetBytes, lengthBytes) => {
    if (offsetBytes < end) inOrder = false;
    end = offsetBytes + lengthBytes;
  });
  return inOrder;
}
