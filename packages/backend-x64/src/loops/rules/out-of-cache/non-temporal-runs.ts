import { distinctNodes, type LayoutNode, type Stream } from "@stowage/ir";
import { WORD_BYTES, XMM_BYTES, YMM_BYTES } from "../../../widths.js";
import { LINE_BYTES } from "../../facts/cache.js";
import { columnsOf } from "../../facts/columns.js";
import { MOST_ELEMENTS, wholeLines } from "../../facts/large-elements.js";
import type { LoopContext } from "../../loop-context.js";
import type { NonTemporalRunsPlan } from "../../plans.js";
import type { OutOfCacheRule } from "../../rule.js";

/**
 * Runs that keep non-temporal stores aligned: packed, those that 16 or 32 bytes divide, or that are put together in
 * registers; unpacked, those of full lines. Rows of whole lines unpacked at 16 MiB: 1.6 to 2.7 times as fast on a Zen
 * 4. Single words lose: 0.7 at 16 MiB.
 */
export const nonTemporalRuns: OutOfCacheRule = {
  name: "non-temporal runs",
  plan(context, { stream, sizeBytes, isMostlyLong }) {
    if (sizeBytes < context.tuning.nonTemporalBytes / MOST_ELEMENTS) return "elements too small for code of their own";
    const runs = context.direction === "pack" ? packedRuns(context, stream) : unpackedRuns(context, stream);
    if (runs === undefined) return "runs that leave stores unaligned";
    return runs.outOfCache.width !== YMM_BYTES && isMostlyLong() ? "long runs, by stores of less than 32 bytes" : runs;
  },
};

/**
 * By the greatest of 8, 16 and 32 bytes that divides every run, so that each store is aligned where the first one is.
 */
function packedRuns(context: LoopContext, elements: Stream): NonTemporalRunsPlan | undefined {
  let bits = YMM_BYTES | Math.min(context.isa.widest, YMM_BYTES);
  for (const node of distinctNodes(elements)) {
    if (node.kind === "blocks" && node.blocklengths !== 1) return undefined;
    if (node.kind === "stream" && columnsOf(context, node.child, node.strideBytes) !== undefined) return undefined;
    if (node.kind !== "dense" || node.lengthBytes === 0) continue;
    bits |= node.lengthBytes % YMM_BYTES;
  }
  const width = bits & -bits;
  const merged = fillsStores(elements);
  // Non-temporal stores of single words lose unless they are merged.
  if (width !== XMM_BYTES && width !== YMM_BYTES && (width !== WORD_BYTES || !merged)) return undefined;
  return { outOfCache: { what: "runs", width, merged }, alignmentBytes: merged ? YMM_BYTES : width };
}

/** Runs of full lines of memory; the end lines of other runs hold bytes that are not ours to write. */
function unpackedRuns(context: LoopContext, elements: Stream): NonTemporalRunsPlan | undefined {
  for (const node of distinctNodes(elements)) if (!isOfWholeLines(node)) return undefined;
  return wholeLines(context);
}

function isOfWholeLines(node: LayoutNode): boolean {
  const isWhole = (bytes: number): boolean => bytes % LINE_BYTES === 0;
  switch (node.kind) {
    case "dense":
      return isWhole(node.lengthBytes);
    case "stream":
      return isWhole(node.strideBytes);
    case "blocks":
      return node.blocklengths === 1 && node.displacementsBytes.every(isWhole);
    case "sequence":
      return node.members.every(({ offsetBytes }) => isWhole(offsetBytes));
  }
}

/**
 * Whether all streams of short blocks fill stores of 32 bytes exactly, so that every merged store is aligned where the
 * first one is. The elements' own count does not matter: nothing follows them.
 */
function fillsStores(elements: LayoutNode): boolean {
  const nodes = [...distinctNodes(elements)];
  const isWhole = (node: LayoutNode): boolean => node.sizeBytes % YMM_BYTES === 0;
  const leaves = nodes.filter((node) => node.kind === "stream" && node.child.kind === "dense" && node !== elements);
  const others = nodes.filter((node) => node.kind === "sequence" || node.kind === "blocks");
  return others.length === 0 && leaves.every(isWhole);
}
