import type { Stream } from "@stowage/ir";
import { typeOf, type Run } from "./copy.js";
import type { FunctionWriter } from "./function-writer.js";
import { moved, type NodeWriter, type Spot } from "./node-writer.js";
import type { Round } from "./round.js";

/** Elements on a side of a tile: twice as many registers are then enough. */
const MOST_SIDE = 16;
const LEAST_SIDE = 4;
const LONGEST_ELEMENT_BYTES = 16;

/**
 * Neighbouring columns of single elements: memory has a row's elements side by side, the packed stream a column's. A round
 * takes as many columns as a register holds elements, and transposes tiles of them.
 */
export function columnsRound(writer: NodeWriter, { child, strideBytes }: Stream): Round | undefined {
  if (child.kind !== "stream" || child.child.kind !== "dense") return undefined;
  const { count: rows, strideBytes: rowStride, child: element } = child;
  const bytes = element.sizeBytes;
  if (strideBytes !== bytes || bytes > LONGEST_ELEMENT_BYTES || !Number.isInteger(Math.log2(bytes))) return undefined;
  const side = Math.min(MOST_SIDE, writer.module.processor.vectorBytes / bytes);
  if (side < LEAST_SIDE || rows < side || Math.abs(rowStride) < side * bytes) return undefined;
  const columnBytes = rows * bytes;
  return {
    children: side,
    moves: Infinity,
    emit(f, first) {
      const tiled = f.loop(0, rows, side, (row) =>
        emitTile(
          f,
          writer,
          { bytes, side, rowStride, columnBytes },
          moved(f, first, f.multiply(row, rowStride), f.multiply(row, bytes)),
        ),
      ) as number;
      for (let row = tiled; row < rows; row++)
        for (let column = 0; column < side; column++)
          writer.whole(
            f,
            element,
            moved(f, first, row * rowStride + column * bytes, column * columnBytes + row * bytes),
          );
    },
  };
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
 * Interleaving registers i and i + n/2 rotates the bits of an element's index, (register, position), by one: after as many
 * steps as a register's number has bits, rows have become columns.
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
