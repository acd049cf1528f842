import type { Layout } from "@stowage/ir";

/** The part of memory that a picture shows: everything between the bounds, and everything touched. */
export interface Shown {
  readonly lowBytes: number;
  readonly highBytes: number;
}

export function shownBytes(layout: Layout, count: number): Shown {
  const last = (count - 1) * layout.extentBytes;
  const { lowerBoundBytes, trueLowerBoundBytes } = layout;
  const lowBytes = Math.min(trueLowerBoundBytes, lowerBoundBytes) + Math.min(0, last);
  const endBytes = Math.max(trueLowerBoundBytes + layout.trueExtentBytes, lowerBoundBytes + layout.extentBytes);
  return { lowBytes, highBytes: Math.max(endBytes + Math.max(0, last), lowBytes + 1) };
}
