import { general } from "@stowage/asm-x64";
import type { Stream } from "@stowage/ir";
import { LINE_BYTES } from "./cache.js";
import type { Emitter, Offsets } from "./emitter.js";

/** Strides from which the hardware prefetchers no longer follow. */
const LEAST_STRIDE_BYTES = 256;

/** Prefetches short blocks far apart, some rounds ahead. A prefetch of an unmapped address does nothing. */
export function emitPrefetches(e: Emitter, node: Stream, offsets: Offsets, children: number): void {
  const { child, strideBytes } = node;
  if (e.tuning.prefetchEntries === 0 || child.kind !== "dense") return;
  if (child.lengthBytes > LINE_BYTES) return emitNextHeads(e, node, offsets, children);
  if (!isPrefetched(e, node)) return;
  const ahead = e.tuning.prefetchEntries;
  for (let i = 0; i < children; i++) e.emit(general.prefetcht0, e.scatteredAt(offsets.s + (ahead + i) * strideBytes));
}

/** Whether short blocks so far apart are prefetched. Packing only: unpacking gained nothing by it (docs/x64.md). */
export const isPrefetched = (e: Emitter, node: Stream): boolean =>
  e.direction === "pack" &&
  e.tuning.prefetchEntries > 0 &&
  Math.abs(node.strideBytes) >= LEAST_STRIDE_BYTES &&
  reachesFar(e, node);

/** Whether a stream reaches past L2. Elements of a run-time count may reach anywhere. */
export const reachesFar = (e: Emitter, { count, highBytes, lowBytes }: Stream): boolean =>
  count === 1 || highBytes - lowBytes >= e.tuning.prefetchReachBytes;

const HEAD_LINES = 4;
/** From this gap on, each block starts a new stream of lines for the hardware prefetcher. */
const LEAST_GAP_BYTES = 1024;

/** Prefetches the first lines of the next round's blocks. Cheap beside the blocks' own moves, so at any reach. */
function emitNextHeads(e: Emitter, { child, strideBytes }: Stream, offsets: Offsets, children: number): void {
  if (Math.abs(strideBytes) - child.sizeBytes < LEAST_GAP_BYTES) return;
  // Non-temporal stores need no line in the cache.
  if (e.direction === "unpack" && e.outOfCache !== undefined) return;
  const lines = Math.min(HEAD_LINES, Math.ceil(child.sizeBytes / LINE_BYTES));
  for (let i = 0; i < children; i++) {
    for (let line = 0; line < lines; line++) {
      const address = e.scatteredAt(offsets.s + (children + i) * strideBytes + line * LINE_BYTES);
      e.emit(e.direction === "pack" ? general.prefetcht0 : general.prefetchw, address);
    }
  }
}
