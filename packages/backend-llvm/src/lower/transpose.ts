import type { LayoutNode, Stream } from "@stowage/ir";
import { LINE_BYTES, linesThatFit } from "./cache.js";
import { typeOf, type Run } from "./copy.js";
import type { FunctionWriter, Value } from "./function-writer.js";
import { moved, type NodeWriter, type Spot } from "./node-writer.js";
import type { Round } from "./round.js";

/** Elements on a side of a tile: twice as many registers are then enough. */
const MOST_SIDE = 16;
const LEAST_SIDE = 4;
const LONGEST_ELEMENT_BYTES = 16;

/**
 * Bytes of a row that a round takes where there are so many: few enough lines that each stays in L1d until all is
 * moved.
 */
const BLOCK_BYTES = 4 * LINE_BYTES;

/**
 * Neighbouring columns of single elements: memory has a row's elements side by side, the packed stream a column's. A
 * round takes a block of columns, and transposes tiles of it: packing a few rows after each other, so that lines of the
 * packed columns are written whole; unpacking all columns of a few rows.
 */
export function columnsRounds(writer: NodeWriter, { child, strideBytes }: Stream): readonly Round[] {
  if (child.kind !== "stream" || child.child.kind !== "dense") return [];
  const { count: rows, strideBytes: rowStride, child: element } = child;
  const bytes = element.sizeBytes;
  if (strideBytes !== bytes || bytes > LONGEST_ELEMENT_BYTES || !Number.isInteger(Math.log2(bytes))) return [];
  const side = Math.min(MOST_SIDE, writer.module.processor.vectorBytes / bytes);
  if (side < LEAST_SIDE || rows < side || Math.abs(rowStride) < side * bytes) return [];
  const tile = { bytes, side, rowStride, columnBytes: rows * bytes };
  const isPack = writer.facts.direction === "pack";
  const lines = isPack ? linesThatFit(tile.columnBytes) : BLOCK_BYTES;
  const block = Math.min(BLOCK_BYTES / bytes, Math.max(side, lines), Math.abs(rowStride) / bytes);
  const tilesOfRows = isPack ? Math.max(1, Math.min((2 * LINE_BYTES) / bytes, linesThatFit(rowStride)) / side) : 1;
  const round = (columns: number): Round => ({
    children: columns,
    moves: Infinity,
    emit(f, first) {
      let row: Value = 0;
      for (const tiles of new Set([Math.floor(tilesOfRows), 1])) {
        row = f.loop(row, rows, tiles * side, (i) =>
          emitBlock(f, writer, tile, columns, tiles, rowSpot(f, tile, first, i)),
        );
      }
      for (let left = row as number; left < rows; left++)
        emitRow(f, writer, tile, columns, element, rowSpot(f, tile, first, left));
    },
  });
  const wide = Math.floor(block / side) * side;
  return wide > side ? [round(wide), round(side)] : [round(side)];
}

/** Where a row begins on both sides. */
const rowSpot = (f: FunctionWriter, { bytes, rowStride }: Tile, first: Spot, row: Value): Spot =>
  moved(f, first, f.multiply(row, rowStride), f.multiply(row, bytes));

/** So many columns of so many tiles of rows. */
function emitBlock(
  f: FunctionWriter,
  writer: NodeWriter,
  tile: Tile,
  columns: number,
  tiles: number,
  spot: Spot,
): void {
  const { bytes, side, rowStride, columnBytes } = tile;
  f.loop(0, columns, side, (column) => {
    const here = moved(f, spot, f.multiply(column, bytes), f.multiply(column, columnBytes));
    for (let i = 0; i < tiles; i++) emitTile(f, writer, tile, moved(f, here, i * side * rowStride, i * side * bytes));
  });
}

/** One row that fills no tile. */
function emitRow(
  f: FunctionWriter,
  writer: NodeWriter,
  { bytes, columnBytes }: Tile,
  columns: number,
  element: LayoutNode,
  spot: Spot,
): void {
  f.loop(0, columns, 1, (column) =>
    writer.whole(f, element, moved(f, spot, f.multiply(column, bytes), f.multiply(column, columnBytes))),
  );
}

interface Tile {
  readonly bytes: number;
  readonly side: number;
  readonly rowStride: number;
  readonly columnBytes: number;
}

/** A square of elements: rows lie in memory, columns in the packed stream. */
function emitTile(f: FunctionWriter, writer: NodeWriter, tile: Tile, spot: Spot): void {
  const { bytes, side, rowStride, columnBytes } = tile;
  const unit = Math.min(8, bytes);
  const lanes = (side * bytes) / unit;
  const type = `<${lanes} x ${typeOf(unit)}>`;
  const align = `align ${Math.min(bytes, writer.facts.alignment)}`;
  const rowAt = (i: number): Run =>
    writer.run({ scattered: f.at(spot.scattered, i * rowStride), packed: f.at(spot.packed, i * columnBytes) });
  const [from, to] = [[], []] as [string[], string[]];
  for (let i = 0; i < side; i++) {
    const run = rowAt(i);
    from.push(run.from);
    to.push(run.to);
  }
  let registers = from.map((pointer) => f.value(`load ${type}, ptr ${pointer}, ${align}`));
  for (let step = 1; step < side; step *= 2) registers = interleaved(f, registers, type, bytes / unit, lanes);
  registers.forEach((register, i) => f.do(`store ${type} ${register}, ptr ${to[i] as string}, ${align}`));
}

/**
 * Interleaving registers i and i + n/2 rotates the bits of an element's index, (register, position), by one: after as
 * many steps as a register's number has bits, rows have become columns.
 */
function interleaved(
  f: FunctionWriter,
  registers: readonly string[],
  type: string,
  unitsAnElement: number,
  lanes: number,
): string[] {
  const half = registers.length / 2;
  const elements = lanes / unitsAnElement;
  const mask = (start: number): string =>
    Array.from({ length: lanes }, (_, lane) => {
      const element = Math.floor(lane / unitsAnElement);
      const from = (element % 2) * elements + start + Math.floor(element / 2);
      return `i32 ${from * unitsAnElement + (lane % unitsAnElement)}`;
    }).join(", ");
  const [low, high] = [mask(0), mask(elements / 2)];
  return Array.from({ length: registers.length }, (_, i) => {
    const [a, b] = [registers[Math.floor(i / 2)] as string, registers[Math.floor(i / 2) + half] as string];
    return f.value(`shufflevector ${type} ${a}, ${type} ${b}, <${lanes} x i32> <${i % 2 === 0 ? low : high}>`);
  });
}
