import type { Layout } from "@stowage/ir";
import { coverage, shownBytes } from "./coverage.js";
import { formatBytes } from "@stowage/bench";

const SHADES = ["·", "░", "▒", "▓", "█"] as const;
const COLUMNS = 64;
const ROWS = 8;

/** Where the bytes of one element lie, as a block of shaded characters; each stands for as many bytes as it must. */
export function terminalPicture(layout: Layout): string {
  if (layout.sizeBytes === 0) return "no bytes";
  const shown = shownBytes(layout, 1);
  const bytesPerCell = Math.ceil((shown.highBytes - shown.lowBytes) / (COLUMNS * ROWS));
  const { lowBytes, filled } = coverage(layout, 1, bytesPerCell);
  const lines: string[] = [];
  for (let start = 0; start < filled.length; start += COLUMNS) {
    const cells = [...filled.subarray(start, start + COLUMNS)].map(shade).join("");
    lines.push(`${String(lowBytes + start * bytesPerCell).padStart(12)} ${cells}`);
  }
  return [`one character: ${formatBytes(bytesPerCell)}; · untouched, █ every byte`, ...lines].join("\n");
}

const shade = (filled: number): string =>
  filled === 0 ? SHADES[0] : (SHADES[Math.max(1, Math.min(4, Math.ceil(filled * 4)))] as string);
