import type { Layout, LayoutNode } from "@stowage/ir";

/** What a picture has room for. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** The part of memory that is there to be shown: everything between the bounds, and everything touched. */
export interface Shown {
  readonly lowBytes: number;
  readonly highBytes: number;
}

/**
 * What a picture shows: rows of a pitch, of each the cells from one byte of the row on. Cell (row, column) begins
 * (firstRow + row) × pitchBytes + firstByte + column × bytesPerCell above the lowest byte shown.
 */
export interface View {
  readonly pitchBytes: number;
  readonly bytesPerCell: number;
  readonly firstRow: number;
  readonly firstByte: number;
}

/** A place in a picture that stays where it is while the scale changes. */
export interface Anchor {
  readonly row: number;
  readonly column: number;
}

const FEWEST_COLUMNS = 8;
const LEAST_SHARE_OF_ROWS = 0.25;

export function shownBytes(layout: Layout, count: number): Shown {
  const last = Math.max(0, count - 1) * layout.extentBytes;
  const { lowerBoundBytes, trueLowerBoundBytes } = layout;
  const lowBytes = Math.min(trueLowerBoundBytes, lowerBoundBytes) + Math.min(0, last);
  const endBytes = Math.max(trueLowerBoundBytes + layout.trueExtentBytes, lowerBoundBytes + layout.extentBytes);
  return { lowBytes, highBytes: Math.max(endBytes + Math.max(0, last), lowBytes + 1) };
}

/** Pitches that a row may have, ascending: strides of the loops that every byte is in, and the extent. */
export function pitchesOf({ root, extentBytes }: Layout): readonly number[] {
  const strides = [Math.abs(extentBytes)];
  for (let node: LayoutNode = root; node.kind === "stream" || node.kind === "blocks"; node = node.child)
    if (node.kind === "stream") strides.push(Math.abs(node.strideBytes));
  return [...new Set(strides)].filter((pitch) => pitch >= FEWEST_COLUMNS).sort((a, b) => a - b);
}

/**
 * All of it: one pitch of the datatype a row, the least whose rows fit; else as many bytes a row as it takes. Two rows
 * of thousands of bytes a cell show nothing of what is in them: the whole room shows more.
 */
export function fittingView({ lowBytes, highBytes }: Shown, pitches: readonly number[], room: Room): View {
  const sizeBytes = highBytes - lowBytes;
  const isThin = (pitch: number): boolean =>
    rowOf(pitch, room).bytesPerCell > 1 && Math.ceil(sizeBytes / pitch) < room.rows * LEAST_SHARE_OF_ROWS;
  const pitch = pitches.find((each) => each < sizeBytes && Math.ceil(sizeBytes / each) <= room.rows && !isThin(each));
  if (pitch !== undefined) return { ...rowOf(pitch, room), firstRow: 0, firstByte: 0 };
  const bytesPerCell = Math.ceil(sizeBytes / (room.columns * room.rows));
  const columns = Math.min(room.columns, Math.ceil(sizeBytes / bytesPerCell));
  return { pitchBytes: columns * bytesPerCell, bytesPerCell, firstRow: 0, firstByte: 0 };
}

/** Rows of a pitch that somebody chose, from the first on. */
export const pitchedView = (pitchBytes: number, room: Room): View => ({
  ...rowOf(pitchBytes, room),
  firstRow: 0,
  firstByte: 0,
});

/** Cells of equal width where the pitch has a fitting divisor; else the last of a row is the shorter one. */
function rowOf(pitchBytes: number, { columns: most }: Room): Pick<View, "pitchBytes" | "bytesPerCell"> {
  if (pitchBytes <= most) return { pitchBytes, bytesPerCell: 1 };
  for (let columns = most; columns >= most / 2; columns--)
    if (pitchBytes % columns === 0) return { pitchBytes, bytesPerCell: pitchBytes / columns };
  return { pitchBytes, bytesPerCell: Math.ceil(pitchBytes / most) };
}

/**
 * Cells of another width around an anchor. Rows become shorter ones of the datatype's where the cells no longer show a
 * whole one.
 */
export function zoomed(
  view: View,
  bytesPerCell: number,
  anchor: Anchor,
  shown: Shown,
  pitches: readonly number[],
  room: Room,
): View {
  const width = room.columns * bytesPerCell;
  const finer = bytesPerCell < view.bytesPerCell;
  const better = finer
    ? pitches.find((pitch) => pitch < view.pitchBytes && pitch * 1.5 >= width)
    : pitches.find((pitch) => pitch > view.pitchBytes && width >= view.pitchBytes * 1.5);
  const pitchBytes = better ?? view.pitchBytes;
  const address = (view.firstRow + anchor.row) * view.pitchBytes + view.firstByte + anchor.column * view.bytesPerCell;
  const row = Math.floor(address / pitchBytes);
  const byte = address - row * pitchBytes;
  const firstByte = Math.floor((byte - anchor.column * bytesPerCell) / bytesPerCell) * bytesPerCell;
  return within({ pitchBytes, bytesPerCell, firstRow: row - anchor.row, firstByte }, shown, room);
}

/** The view moved to where there is something to be seen. */
export function within(view: View, { lowBytes, highBytes }: Shown, room: Room): View {
  const { pitchBytes, bytesPerCell } = view;
  const rows = Math.ceil((highBytes - lowBytes) / pitchBytes);
  const columns = Math.ceil(pitchBytes / bytesPerCell);
  const firstByte = clampTo(view.firstByte, (columns - room.columns) * bytesPerCell);
  return { pitchBytes, bytesPerCell, firstRow: clampTo(view.firstRow, rows - room.rows), firstByte };
}

const clampTo = (value: number, most: number): number => Math.max(0, Math.min(value, most));
