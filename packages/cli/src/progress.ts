import type { Writable } from "node:stream";
import { printable } from "./printable.js";

/** How far a piece of work is, in one line at the foot of a terminal. */
export interface ProgressBar extends Disposable {
  show(done: number, total: number): void;
  /** A line of its own above the bar. */
  line(text: string): void;
  end(): void;
}

const WIDTH = 24;
/** Terminals need no more. */
const LEAST_MS = 100;
const CLEAR_LINE = "\r\x1b[2K";

/** A bar on standard error where that is a terminal; elsewhere its lines only. */
export function progressBar(
  label: string,
  stream: Writable & { readonly isTTY?: boolean } = process.stderr,
): ProgressBar {
  let drawn = "";
  let drawnAt = -Infinity;
  const draw = (text: string): void => {
    if (drawn !== "" || text !== "") stream.write(`${CLEAR_LINE}${text}`);
    drawn = text;
  };
  const end = (): void => draw("");
  return {
    show(done, total) {
      if (!stream.isTTY || performance.now() - drawnAt < LEAST_MS) return;
      drawnAt = performance.now();
      draw(barText(label, done, total));
    },
    line(text) {
      const bar = drawn;
      end();
      stream.write(`${printable(text)}\n`);
      draw(bar);
    },
    end,
    [Symbol.dispose]: end,
  };
}

function barText(label: string, done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.round((WIDTH * done) / total);
  return `${label} ${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${done}/${total}`;
}
