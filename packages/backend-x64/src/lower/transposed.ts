import { general, type BasedMemory } from "@stowage/asm-x64";
import { LINE_BYTES, linesThatFit, piecesThatFit } from "./cache.js";
import { at, type Emitter, type Place } from "./emitter.js";
import type { Width } from "./isa.js";
import { stretchesOf, type Stretch } from "./steps.js";
import { columnStepsOf, emitTile, rowStepsOf } from "./tile.js";

/** Tiles that are written out in one round. */
const MOST_TILES = 8;

/**
 * Elements of a power of two bytes in rows and columns: the source has the elements of a row side by side, the target
 * those of a column.
 */
export interface Transposed {
  readonly elementBytes: number;
  readonly rows: number;
  readonly rowStrideBytes: number;
  readonly columns: number;
  readonly columnStrideBytes: number;
}

/** Bytes of a row that a block has: lines enough that each one's bytes are all moved while it is near. */
export const BLOCK_BYTES = 4 * LINE_BYTES;
/** The same where columns are stored past the cache: no lines of the target collide there. */
export const STREAMED_BLOCK_BYTES = 2 * BLOCK_BYTES;

/** Of a row at least so many bytes: a tile takes as many where it can. */
const LEAST_BLOCK_BYTES = LINE_BYTES / 2;

/**
 * Columns of a block: no more than the first cache has lines for, where they lie so far apart in the target. Each block
 * fetches the lines of all rows again, which costs bytes more than what crowds in few sets.
 */
export function columnsOfBlock(elementBytes: number, columnStrideBytes: number): number {
  const fitting = elementBytes === 1 ? linesThatFit(columnStrideBytes) : piecesThatFit(columnStrideBytes);
  return Math.min(BLOCK_BYTES / elementBytes, Math.max(LEAST_BLOCK_BYTES / elementBytes, fitting));
}

/** So many rows of the source at once, all of their columns; or so many columns, all of their rows, and then a fence where `fenced`. */
export type TransposeOrder =
  { readonly rowsAtOnce: number } | { readonly columnsAtOnce: number; readonly fenced?: boolean };

/** Columns whose writes a processor combines at once. */
const COMBINED_COLUMNS = 4;

/**
 * The order of columns that are stored past the cache; undefined: they are not. A line that is stored by parts at different
 * times is written twice: of each column whole lines are stored, even if the rows crowd in one set; or, where columns begin
 * in the middle of lines, all of a few columns.
 */
export function streamedOrder({ streaming }: Emitter, elementBytes: number): TransposeOrder | undefined {
  if (streaming?.what !== "columns") return undefined;
  if (streaming.halves === true) return { columnsAtOnce: Math.min(COMBINED_COLUMNS, LINE_BYTES / 2 / elementBytes) };
  return { rowsAtOnce: ((elementBytes < 8 ? 1 : 2) * LINE_BYTES) / elementBytes };
}

/** Rows into columns, in tiles through registers. */
export function emitTransposed(e: Emitter, node: Transposed, place: Place, order: TransposeOrder): void {
  const { elementBytes, rowStrideBytes, columnStrideBytes } = node;
  const line = LINE_BYTES / elementBytes;
  const rowsFirst = "rowsAtOnce" in order;
  const sides = sidesOf(e, place);
  // A tile takes a part of each row's line: the others' turn comes while these are still in the first cache.
  const rowSteps = rowStepsOf(e, elementBytes, linesThatFit(rowStrideBytes));
  for (const rows of stretchesOf(node.rows, rowSteps, rowsFirst ? order.rowsAtOnce : line)) {
    const overRows = loopOver(e, rows, sides.step(rowStrideBytes, elementBytes));
    const most = Math.max(1, Math.floor(MOST_TILES / rows.group)) * Math.min(8, line);
    const columnSteps = columnStepsOf(e, elementBytes, rows.step);
    const stretches = stretchesOf(node.columns, columnSteps, rowsFirst ? Math.min(most, line) : order.columnsAtOnce);
    if (stretches.length === 0) overRows(() => emitElements(e, node, rows, sides));
    for (const columns of stretches) {
      const overColumns = loopOver(e, columns, sides.step(elementBytes, columnStrideBytes));
      const tiles = (): void => emitTiles(e, node, rows, columns, sides);
      if (rowsFirst) overRows(() => overColumns(tiles));
      else {
        overColumns(() => {
          overRows(tiles);
          if (order.fenced === true) e.emit(general.sfence);
        });
      }
    }
  }
}

/** Where source and target of a transpose lie: scattered and packed, or, unpacking, the reverse. */
interface Sides {
  readonly source: (offset: number) => BasedMemory;
  readonly target: (offset: number) => BasedMemory;
  readonly step: (source: number, target: number) => Place;
}

function sidesOf(e: Emitter, place: Place): Sides {
  const scattered = (offset: number): BasedMemory => e.scatteredAt(place.s + offset);
  const packed = (offset: number): BasedMemory => e.packedAt(place.p + offset);
  return e.direction === "pack"
    ? { source: scattered, target: packed, step: at }
    : { source: packed, target: scattered, step: (source, target) => at(target, source) };
}

/** A loop over the rounds of a stretch whose steps lie so far apart; the body stands on the stretch's first round. */
const loopOver =
  (e: Emitter, { step, group, rounds }: Stretch, stride: Place) =>
  (body: () => void): void => {
    if (rounds === 1) body();
    else e.repeat(rounds, at(group * step * stride.s, group * step * stride.p), true, body);
  };

function emitTiles(e: Emitter, node: Transposed, rows: Stretch, columns: Stretch, { source, target }: Sides): void {
  const { elementBytes, rowStrideBytes, columnStrideBytes } = node;
  // A column's lines one after another: each is written whole before another one's.
  for (let column = columns.at; column < columns.at + columns.group * columns.step; column += columns.step) {
    for (let row = rows.at; row < rows.at + rows.group * rows.step; row += rows.step) {
      const rowAt = (i: number): BasedMemory => source((row + i) * rowStrideBytes + column * elementBytes);
      const columnAt = (j: number): BasedMemory => target((column + j) * columnStrideBytes + row * elementBytes);
      emitTile(e, elementBytes, { rows: rows.step, columns: columns.step }, rowAt, columnAt);
    }
  }
}

/** Too few of both for a tile. */
function emitElements(e: Emitter, node: Transposed, rows: Stretch, { source, target }: Sides): void {
  const { elementBytes, rowStrideBytes, columns, columnStrideBytes } = node;
  for (let row = rows.at; row < rows.at + rows.group * rows.step; row++) {
    for (let column = 0; column < columns; column++) {
      const [from, to] = [
        source(row * rowStrideBytes + column * elementBytes),
        target(column * columnStrideBytes + row * elementBytes),
      ];
      if (e.direction === "pack") e.transfer(elementBytes as Width, from, to);
      else e.transfer(elementBytes as Width, to, from);
    }
  }
}
