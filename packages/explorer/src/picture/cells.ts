import type { AddressIndex } from "./address-index.js";
import type { Room, Shown, View } from "./view.js";

/** What a picture draws: of each cell how much of it moves, and when. */
export interface Cells {
  readonly columns: number;
  readonly rows: number;
  /** 0 (untouched) to 1 (every byte moves). */
  readonly filled: Float32Array;
  /** Packed position of the lowest byte that moves; -1 where none does. */
  readonly packed: Float64Array;
}

/** The cells of a view. `startBytes`: where the index's zero lies, from the datatype's address 0. */
export function cellsOf(
  index: AddressIndex | undefined,
  startBytes: number,
  view: View,
  shown: Shown,
  room: Room,
): Cells {
  const { columns, rows } = sizeOf(view, shown, room);
  const filled = new Float32Array(columns * rows);
  const packed = new Float64Array(columns * rows).fill(-1);
  if (index === undefined) return { columns, rows, filled, packed };
  for (let row = 0; row < rows; row++) {
    let edge = NaN;
    let below = 0;
    for (let column = 0; column < columns; column++) {
      const { from, end } = bytesOf(view, shown, row, column);
      if (end <= from) break;
      if (edge !== from) below = index.before(from - startBytes);
      const above = index.before(end - startBytes);
      if (above > below) {
        filled[row * columns + column] = Math.min(1, (above - below) / (end - from));
        const found = index.from(from - startBytes);
        if (found !== undefined && found.address + startBytes < end) packed[row * columns + column] = found.packed;
      }
      [edge, below] = [end, above];
    }
  }
  return { columns, rows, filled, packed };
}

/** How many columns and rows of a view there are to be drawn. */
export function sizeOf({ pitchBytes, bytesPerCell, firstRow, firstByte }: View, shown: Shown, room: Room): Room {
  const columns = Math.ceil((pitchBytes - firstByte) / bytesPerCell);
  const rows = Math.ceil((shown.highBytes - shown.lowBytes) / pitchBytes) - firstRow;
  return { columns: Math.max(1, Math.min(room.columns, columns)), rows: Math.max(1, Math.min(room.rows, rows)) };
}

/** The bytes [from, end) of a cell, from the datatype's address 0. */
export function bytesOf(
  { pitchBytes, bytesPerCell, firstRow, firstByte }: View,
  { lowBytes, highBytes }: Shown,
  row: number,
  column: number,
): { readonly from: number; readonly end: number } {
  const start = lowBytes + (firstRow + row) * pitchBytes;
  const from = start + firstByte + column * bytesPerCell;
  return { from, end: Math.min(from + bytesPerCell, start + pitchBytes, highBytes) };
}

/** The cell that holds an address; undefined where it is not in the view. */
export function cellAt(view: View, { lowBytes }: Shown, { columns, rows }: Room, address: number): number | undefined {
  const offset = address - lowBytes;
  const row = Math.floor(offset / view.pitchBytes);
  const column = Math.floor((offset - row * view.pitchBytes - view.firstByte) / view.bytesPerCell);
  const inside = row >= view.firstRow && row < view.firstRow + rows && column >= 0 && column < columns;
  return inside ? (row - view.firstRow) * columns + column : undefined;
}
