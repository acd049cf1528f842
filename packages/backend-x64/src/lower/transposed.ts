import { general, type BasedMemory } from "@stowage/asm-x64";
import type { Stretch, Transposed, TransposePlan } from "../loops/plans.js";
import type { Width } from "../widths.js";
import { at, type Emitter, type Offsets } from "./emitter.js";
import { emitTile } from "./tile.js";

/** Rows into columns, in tiles through registers. */
export function emitTransposed(e: Emitter, node: Transposed, offsets: Offsets, plan: TransposePlan): void {
  const { elementBytes, rowStrideBytes, columnStrideBytes } = node;
  const sides = sidesOf(e, offsets);
  for (const { rows, columns: stretches } of plan.bands) {
    const overRows = loopOver(e, rows, sides.step(rowStrideBytes, elementBytes));
    if (stretches.length === 0) overRows(() => emitElements(e, node, rows, sides));
    for (const columns of stretches) {
      const overColumns = loopOver(e, columns, sides.step(elementBytes, columnStrideBytes));
      const tiles = (): void => emitTiles(e, node, rows, columns, sides);
      if (plan.order === "rows first") overRows(() => overColumns(tiles));
      else {
        overColumns(() => {
          overRows(tiles);
          if (plan.fenced) e.emit(general.sfence);
        });
      }
    }
  }
}

/** Where source and target of a transpose lie: scattered and packed, or, unpacking, the reverse. */
interface Sides {
  readonly source: (offset: number) => BasedMemory;
  readonly target: (offset: number) => BasedMemory;
  readonly step: (source: number, target: number) => Offsets;
}

function sidesOf(e: Emitter, offsets: Offsets): Sides {
  const scattered = (offset: number): BasedMemory => e.scatteredAt(offsets.s + offset);
  const packed = (offset: number): BasedMemory => e.packedAt(offsets.p + offset);
  return e.direction === "pack"
    ? { source: scattered, target: packed, step: at }
    : { source: packed, target: scattered, step: (source, target) => at(target, source) };
}

/** A loop over the rounds of a stretch whose steps lie so far apart; the body stands on the stretch's first round. */
const loopOver =
  (e: Emitter, { step, group, rounds }: Stretch, stride: Offsets) =>
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
