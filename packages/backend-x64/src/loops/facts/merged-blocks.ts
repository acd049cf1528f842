import type { LayoutNode } from "@stowage/ir";
import { WORD_BYTES, XMM_BYTES, YMM_BYTES } from "../../widths.js";
import { nonTemporalWidthOf, type LoopContext } from "../loop-context.js";
import { mergesNonTemporal } from "../plans.js";

const LONGEST_BYTES = 128;
/** Stores of a round, whose counting they are spread over. */
export const LEAST_STORES = 2;

/** Blocks that fill an integral number of stores; undefined where blocks are better moved one by one. */
export function mergedBlocks(context: LoopContext, child: LayoutNode): number | undefined {
  if (!merges(context) || child.kind !== "dense") return undefined;
  const length = child.lengthBytes;
  if (length % WORD_BYTES !== 0 || length % YMM_BYTES === 0 || length > LONGEST_BYTES) return undefined;
  const blocks = length % XMM_BYTES === 0 ? 2 : 4;
  return (blocks * length) / YMM_BYTES < LEAST_STORES ? blocks * LEAST_STORES : blocks;
}

/** Whether stores of 32 bytes are there to put packed blocks together in. */
export const merges = (context: LoopContext): boolean =>
  context.direction === "pack" &&
  context.isa.widest >= YMM_BYTES &&
  (nonTemporalWidthOf(context) === undefined || mergesNonTemporal(context.outOfCache));
