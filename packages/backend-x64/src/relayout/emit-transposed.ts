import { at, type Emitter, type Place } from "../lower/emitter.js";
import type { Width } from "../lower/isa.js";
import type { Transposed } from "./pair.js";
import { stretchesOf, type Stretch } from "./steps.js";
import { columnStepsOf, emitTile, rowStepsOf } from "./tile.js";

const LINE_BYTES = 64;
/** Tiles that are written out in one round. */
const MOST_TILES = 8;

/** Rows into columns: whole cache lines of both sides together, in tiles through registers. */
export function emitTransposed(e: Emitter, node: Transposed, place: Place): void {
  const line = LINE_BYTES / node.elementBytes;
  for (const rows of stretchesOf(node.rows, rowStepsOf(e, node.elementBytes), line)) {
    emitRounds(e, rows, at(node.rowStrideBytes, node.elementBytes), () => emitColumns(e, node, rows, place));
  }
}

/** The rounds of a stretch whose steps lie so far apart; the body stands on the stretch's first round. */
function emitRounds(e: Emitter, { step, group, rounds }: Stretch, stride: Place, body: () => void): void {
  if (rounds === 1) return body();
  e.repeat(rounds, at(group * step * stride.s, group * step * stride.p), true, body);
}

function emitColumns(e: Emitter, node: Transposed, rows: Stretch, place: Place): void {
  const { elementBytes, columns, columnStrideBytes } = node;
  const most = Math.floor(MOST_TILES / rows.group) * Math.min(8, LINE_BYTES / elementBytes);
  const stretches = stretchesOf(columns, columnStepsOf(e, elementBytes, rows.step), Math.min(most, LINE_BYTES / elementBytes));
  if (stretches.length === 0) return emitElements(e, node, rows, place);
  for (const stretch of stretches) {
    emitRounds(e, stretch, at(elementBytes, columnStrideBytes), () => {
      for (let row = 0; row < rows.group; row++) {
        for (let column = 0; column < stretch.group; column++) {
          emitTileAt(e, node, rows.step, stretch.step, rows.at + row * rows.step, stretch.at + column * stretch.step, place);
        }
      }
    });
  }
}

function emitTileAt(e: Emitter, node: Transposed, rows: number, columns: number, row: number, column: number, place: Place): void {
  const { elementBytes, rowStrideBytes, columnStrideBytes } = node;
  const rowAt = (i: number) => e.scatteredAt(place.s + (row + i) * rowStrideBytes + column * elementBytes);
  const columnAt = (j: number) => e.packedAt(place.p + (column + j) * columnStrideBytes + row * elementBytes);
  emitTile(e, elementBytes, { rows, columns }, rowAt, columnAt);
}

/** Too few of both for a tile. */
function emitElements(e: Emitter, { elementBytes, rowStrideBytes, columns, columnStrideBytes }: Transposed, rows: Stretch, place: Place): void {
  for (let row = rows.at; row < rows.at + rows.group * rows.step; row++) {
    for (let column = 0; column < columns; column++) {
      const corner = at(place.s + row * rowStrideBytes + column * elementBytes, place.p + column * columnStrideBytes + row * elementBytes);
      e.move({ offset: 0, width: elementBytes as Width }, corner);
    }
  }
}
