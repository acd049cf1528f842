import type { LayoutNode } from "@stowage/ir";
import { nonTemporalWidthOf, type LoopContext } from "./loop-context.js";
import type { OutOfCache } from "./out-of-cache.js";

/**
 * Packing short blocks of whole 8-byte words: several blocks are put together in registers and stored 32 bytes at a
 * time. The store buffer bounds how many missing lines are fetched at once; wider stores let it cover more blocks.
 */
export const STORE_BYTES = 32;
export const HALF_BYTES = 16;
export const WORD_BYTES = 8;
export const HALF_WORD_BYTES = 4;
const LONGEST_BYTES = 128;
const LEAST_STORES = 2;

/** Blocks that fill an integral number of stores; undefined where blocks are better moved one by one. */
export function mergedBlocks(context: LoopContext, child: LayoutNode): number | undefined {
  if (!merges(context) || child.kind !== "dense") return undefined;
  const length = child.lengthBytes;
  if (length % WORD_BYTES !== 0 || length % STORE_BYTES === 0 || length > LONGEST_BYTES) return undefined;
  const blocks = length % HALF_BYTES === 0 ? 2 : 4;
  return (blocks * length) / STORE_BYTES < LEAST_STORES ? blocks * LEAST_STORES : blocks;
}

/** The same of blocks by a table, which may be half words too. */
export const mergedEntries = (context: LoopContext, child: LayoutNode): number | undefined =>
  merges(context) && child.kind === "dense" && child.lengthBytes === HALF_WORD_BYTES
    ? (LEAST_STORES * STORE_BYTES) / HALF_WORD_BYTES
    : mergedBlocks(context, child);

const merges = (context: LoopContext): boolean =>
  context.direction === "pack" &&
  context.isa.widest >= STORE_BYTES &&
  (nonTemporalWidthOf(context) === undefined || mergesNonTemporal(context.outOfCache));

/** Whether merged stores are non-temporal too: each is then aligned to 32 bytes. */
export const mergesNonTemporal = (outOfCache: OutOfCache | undefined): boolean =>
  outOfCache?.what === "runs" && outOfCache.merged;
