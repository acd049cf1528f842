import { cellAt } from "../src/picture/cells.js";
import type { Room, Shown } from "../src/picture/view.js";
import type { Picture } from "../src/worker/protocol.js";
import { cellColour, currentTheme, numberColour } from "./colours.js";

/** What is marked in a picture. */
export interface Marks {
  /** The byte that the pointer or the keyboard is at, and its cell. */
  readonly cell?: number | undefined;
  readonly addressBytes?: number | undefined;
  /** For each cell: whether the node at hand holds it. */
  readonly node?: Uint8Array | undefined;
}

const LABELS = 92;
const TOP = 18;
const LEAST_CELL = 7;
const MOST_CELL = 34;
/** Cells this wide hold the packed position of their byte. */
const NUMBERED_CELL = 22;

/** The canvas of where the bytes lie: rows of a pitch, coloured by packed order. */
export class BytePicture {
  readonly canvas: HTMLCanvasElement;
  #picture: Picture | undefined;
  #shown: Shown = { lowBytes: 0, highBytes: 1 };
  #totalBytes = 1;
  #marks: Marks = {};
  #cellSize = LEAST_CELL;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
  }

  /** The most cells that the canvas has room for. */
  get room(): Room {
    const { clientWidth, clientHeight } = this.canvas;
    const columns = Math.floor((clientWidth - LABELS) / LEAST_CELL);
    const rows = Math.floor((clientHeight - TOP) / LEAST_CELL);
    return { columns: Math.max(8, Math.min(256, columns)), rows: Math.max(4, Math.min(128, rows)) };
  }

  show(picture: Picture, shown: Shown, totalBytes: number): void {
    this.#picture = picture;
    this.#shown = shown;
    this.#totalBytes = Math.max(1, totalBytes);
    this.#marks = {};
    this.draw();
  }

  mark(marks: Marks): void {
    this.#marks = marks;
    this.draw();
  }

  /** The cell under a point of the canvas; undefined beside the cells. */
  cellUnder(x: number, y: number): number | undefined {
    if (this.#picture === undefined) return undefined;
    const { columns, rows } = this.#picture.cells;
    const [column, row] = [Math.floor((x - LABELS) / this.#cellSize), Math.floor((y - TOP) / this.#cellSize)];
    return column >= 0 && column < columns && row >= 0 && row < rows ? row * columns + column : undefined;
  }

  draw(): void {
    const context = this.canvas.getContext("2d");
    if (this.#picture === undefined || context === null) return;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = devicePixelRatio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    context.scale(ratio, ratio);
    const { columns, rows } = this.#picture.cells;
    const fitting = Math.floor(Math.min((width - LABELS) / columns, (height - TOP) / rows));
    this.#cellSize = Math.max(LEAST_CELL, Math.min(MOST_CELL, fitting));
    this.#drawLabels(context, this.#picture);
    this.#drawCells(context, this.#picture);
    this.#drawMarks(context, this.#picture);
  }

  #drawCells(context: CanvasRenderingContext2D, { cells, view }: Picture): void {
    const theme = currentTheme();
    const size = this.#cellSize;
    const gap = size > 10 ? 2 : 1;
    const numbered = size >= NUMBERED_CELL && view.bytesPerCell === 1 && this.#totalBytes <= 10_000;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `${size >= 28 ? 10 : 9}px ui-monospace, monospace`;
    for (let cell = 0; cell < cells.filled.length; cell++) {
      const end = this.#endOfRow(cell, cells.columns, view);
      if (!end) continue;
      const { x, y } = this.#corner(cell, cells.columns);
      const packed = cells.packed[cell] as number;
      const filled = cells.filled[cell] as number;
      context.fillStyle = cellColour(filled, packed / this.#totalBytes, theme);
      context.fillRect(x, y, size - gap, size - gap);
      if (!numbered || filled === 0) continue;
      context.fillStyle = numberColour(packed / this.#totalBytes);
      context.fillText(String(packed), x + (size - gap) / 2, y + (size - gap) / 2 + 0.5);
    }
  }

  /** Whether a cell lies within its row and before the end of what is shown. */
  #endOfRow(
    cell: number,
    columns: number,
    { pitchBytes, bytesPerCell, firstRow, firstByte }: Picture["view"],
  ): boolean {
    const byte = firstByte + (cell % columns) * bytesPerCell;
    const offset = (firstRow + Math.floor(cell / columns)) * pitchBytes + byte;
    return byte < pitchBytes && offset < this.#shown.highBytes - this.#shown.lowBytes;
  }

  #drawLabels(context: CanvasRenderingContext2D, { cells, view }: Picture): void {
    const theme = currentTheme();
    context.fillStyle = theme.faint;
    context.font = "11px ui-monospace, monospace";
    context.textBaseline = "middle";
    context.textAlign = "right";
    const every = Math.max(1, Math.ceil(14 / this.#cellSize));
    for (let row = 0; row < cells.rows; row += every) {
      const address = this.#shown.lowBytes + (view.firstRow + row) * view.pitchBytes;
      context.fillText(shortNumber(address), LABELS - 8, TOP + row * this.#cellSize + this.#cellSize / 2);
    }
    context.textAlign = "left";
    const step = Math.max(1, Math.ceil(64 / this.#cellSize / 4) * 4);
    for (let column = 0; column < cells.columns; column += step) {
      const [text, x] = [
        `+${shortNumber(view.firstByte + column * view.bytesPerCell)}`,
        LABELS + column * this.#cellSize,
      ];
      if (x + context.measureText(text).width <= this.canvas.clientWidth) context.fillText(text, x, TOP / 2);
    }
  }

  #drawMarks(context: CanvasRenderingContext2D, { cells, view }: Picture): void {
    const theme = currentTheme();
    const size = this.#cellSize;
    context.strokeStyle = theme.text;
    const { node, addressBytes } = this.#marks;
    context.lineWidth = 1.5;
    node?.forEach((inside, cell) => {
      if (inside === 0) return;
      const { x, y } = this.#corner(cell, cells.columns);
      context.strokeRect(x - 0.25, y - 0.25, size - 1, size - 1);
    });
    const linked = addressBytes === undefined ? undefined : cellAt(view, this.#shown, cells, addressBytes);
    for (const cell of [linked, this.#marks.cell]) {
      if (cell === undefined) continue;
      const { x, y } = this.#corner(cell, cells.columns);
      context.strokeStyle = theme.accent;
      context.lineWidth = 2;
      context.strokeRect(x - 1.5, y - 1.5, size + 1, size + 1);
    }
  }

  #corner(cell: number, columns: number): { x: number; y: number } {
    return { x: LABELS + (cell % columns) * this.#cellSize, y: TOP + Math.floor(cell / columns) * this.#cellSize };
  }
}

/** Numbers of more than 10 digits by powers of two or ten digits and an ellipsis: labels have that much room. */
export function shortNumber(value: number): string {
  const text = String(value);
  if (text.length <= 11) return text;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  return `${(value / 2 ** exponent).toFixed(3)}·2^${exponent}`;
}
