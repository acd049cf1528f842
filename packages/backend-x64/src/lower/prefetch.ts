import { general } from "@stowage/asm-x64";
import type { Stream } from "@stowage/ir";
import { LINE_BYTES } from "./cache.js";
import type { Emitter, Place } from "./emitter.js";

/** Strides from which the processor's own prefetchers lose track of blocks. */
const LEAST_STRIDE_BYTES = 256;

/**
 * Of short blocks far apart, those that are some rounds ahead; a prefetch past the end of memory does nothing.
 */
export function emitPrefetches(e: Emitter, node: Stream, place: Place, children: number): void {
  const { child, strideBytes } = node;
  if (e.tuning.prefetchEntries === 0 || child.kind !== "dense") return;
  if (child.lengthBytes > LINE_BYTES) return emitNextHeads(e, node, place, children);
  if (!isPrefetched(e, node)) return;
  const ahead = e.tuning.prefetchEntries;
  for (let i = 0; i < children; i++) e.emit(general.prefetcht0, e.scatteredAt(place.s + (ahead + i) * strideBytes));
}

/** Whether short blocks so far apart are prefetched. Packing only: unpacking gained nothing by it (docs/x64.md). */
export const isPrefetched = (e: Emitter, node: Stream): boolean =>
  e.direction === "pack" &&
  e.tuning.prefetchEntries > 0 &&
  Math.abs(node.strideBytes) >= LEAST_STRIDE_BYTES &&
  reachesFar(e, node);

/** Whether a stream lies past the caches near the processor. The elements of a run-time count may reach anywhere. */
export const reachesFar = (e: Emitter, { count, highBytes, lowBytes }: Stream): boolean =>
  count === 1 || highBytes - lowBytes >= e.tuning.prefetchReachBytes;

const HEAD_LINES = 4;
/** Blocks that far apart begin a stream of lines that no prefetcher has seen. */
const LEAST_GAP_BYTES = 1024;

/** The first lines of the next round's blocks: few instructions beside the block's own, so however far the stream reaches. */
function emitNextHeads(e: Emitter, { child, strideBytes }: Stream, place: Place, children: number): void {
  if (Math.abs(strideBytes) - child.sizeBytes < LEAST_GAP_BYTES) return;
  // What is stored past the cache is not to be fetched.
  if (e.direction === "unpack" && e.streaming !== undefined) return;
  const lines = Math.min(HEAD_LINES, Math.ceil(child.sizeBytes / LINE_BYTES));
  for (let i = 0; i < children; i++) {
    for (let line = 0; line < lines; line++) {
      const address = e.scatteredAt(place.s + (children + i) * strideBytes + line * LINE_BYTES);
      e.emit(e.direction === "pack" ? general.prefetcht0 : general.prefetchw, address);
    }
  }
}
