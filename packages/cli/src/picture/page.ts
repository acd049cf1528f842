import type { Layout, LayoutNode } from "@stowage/ir";
import type { Shown } from "./shown.js";

/**
 * How memory is laid out in a picture: rows of a pitch, each of so many cells; the last cell of a row may be shorter.
 */
export interface Page {
  readonly pitchBytes: number;
  readonly columns: number;
  readonly bytesPerCell: number;
}

/** What a picture has room for. */
export interface Room {
  readonly columns: number;
  /** Rows of a datatype that has a pitch. */
  readonly pitchedRows: number;
  /** Rows of one that has none. */
  readonly rows: number;
}

const FEWEST_COLUMNS = 8;

/** One pitch of the datatype a row, the innermost whose rows fit; else as many bytes a row as it takes. */
export function pageOf(layout: Layout, { lowBytes, highBytes }: Shown, room: Room): Page {
  const sizeBytes = highBytes - lowBytes;
  const pitch = pitchesOf(layout).find((each) => each >= FEWEST_COLUMNS && sizeBytes / each <= room.pitchedRows);
  return pitch === undefined || pitch >= sizeBytes ? fullPage(sizeBytes, room) : pitchedPage(pitch, room);
}

/** Cells of equal width where the pitch has a fitting divisor; else the last of a row is the shorter one. */
function pitchedPage(pitchBytes: number, room: Room): Page {
  for (let columns = room.columns; columns >= room.columns / 2; columns--)
    if (pitchBytes % columns === 0) return { pitchBytes, columns, bytesPerCell: pitchBytes / columns };
  const bytesPerCell = Math.ceil(pitchBytes / room.columns);
  return { pitchBytes, columns: Math.ceil(pitchBytes / bytesPerCell), bytesPerCell };
}

function fullPage(sizeBytes: number, { columns: most, rows }: Room): Page {
  const bytesPerCell = Math.ceil(sizeBytes / (most * rows));
  const columns = Math.min(most, Math.ceil(sizeBytes / bytesPerCell));
  return { pitchBytes: columns * bytesPerCell, columns, bytesPerCell };
}

/** Strides of the streams that every byte is in, innermost first, then the extent. */
function pitchesOf({ root, extentBytes }: Layout): readonly number[] {
  const strides: number[] = [];
  for (let node: LayoutNode = root; node.kind === "stream" || node.kind === "blocks"; node = node.child)
    if (node.kind === "stream") strides.unshift(Math.abs(node.strideBytes));
  return [...strides, Math.abs(extentBytes)];
}
