import { formatBytes } from "@stowage/bench";
import type { Layout } from "@stowage/ir";
import { coverage } from "./coverage.js";
import { pageOf } from "./page.js";
import { shownBytes } from "./shown.js";

const SHADES = ["·", "░", "▒", "▓", "█"] as const;
const ROOM = { columns: 64, pitchedRows: 24, rows: 8 };
const ADDRESS_WIDTH = 12;

/**
 * Where the bytes of one element lie, as a block of shaded characters; a row is one pitch of the datatype where that
 * fits.
 */
export function terminalPicture(layout: Layout): string {
  if (layout.sizeBytes === 0) return "no bytes";
  const page = pageOf(layout, shownBytes(layout, 1), ROOM);
  const { columns, pitchBytes, bytesPerCell, lowBytes, filled } = coverage(layout, 1, page);
  const lines = Array.from({ length: Math.ceil(filled.length / columns) }, (_, row) => {
    const cells = [...filled.subarray(row * columns, (row + 1) * columns)].map(shade).join("");
    return `${String(lowBytes + row * pitchBytes).padStart(ADDRESS_WIDTH)} ${cells}`;
  });
  const scale = `a row: ${formatBytes(pitchBytes)}, one character: ${formatBytes(bytesPerCell)}`;
  return [`${scale}; · untouched, █ every byte`, ...lines].join("\n");
}

const shade = (filled: number): string =>
  filled === 0 ? SHADES[0] : (SHADES[Math.max(1, Math.min(4, Math.ceil(filled * 4)))] as string);
