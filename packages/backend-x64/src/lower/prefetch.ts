import { general } from "@stowage/asm-x64";
import type { Stream } from "@stowage/ir";
import { LINE_BYTES } from "../loops/facts/cache.js";
import type { Prefetch } from "../loops/plans.js";
import type { Emitter, Offsets } from "./emitter.js";

/** What a round of so many children prefetches, its first child at `offsets`. */
export function emitPrefetches(
  e: Emitter,
  { strideBytes }: Stream,
  prefetch: Prefetch | undefined,
  offsets: Offsets,
  children: number,
): void {
  if (prefetch === undefined) return;
  const [ahead, lines] = prefetch.what === "heads" ? [children, prefetch.lines] : [prefetch.blocks, 1];
  const row = e.direction === "pack" ? general.prefetcht0 : general.prefetchw;
  for (let i = 0; i < children; i++) {
    for (let line = 0; line < lines; line++)
      e.emit(row, e.scatteredAt(offsets.s + (ahead + i) * strideBytes + line * LINE_BYTES));
  }
}
