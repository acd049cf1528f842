import { distinctNodes, isRuns, type Blocks, type LayoutNode, type Stream } from "@stowage/ir";
import { LINE_BYTES } from "./cache.js";
import { columnsOf, fillWholeLines } from "./columns.js";
import { NON_TEMPORAL_RUN_BYTES } from "./cost.js";
import type { LoopContext } from "./loop-context.js";
import type { NonTemporalRuns, OutOfCache } from "./out-of-cache.js";
import { isPadded, paddedFromBytes } from "./padding.js";

/** The greatest number that an instruction carries as it is. */
export const MOST_IMMEDIATE = 0x7fffffff;

export interface OutOfCachePlan {
  readonly outOfCache: OutOfCache;
  /** What must divide the target's address. */
  readonly alignmentBytes: number;
  /** Packed bytes of a full pack from which this is done. Default: the tuning's `nonTemporalBytes`. */
  readonly fullBytes?: number;
}

interface RunsPlan extends OutOfCachePlan {
  readonly outOfCache: NonTemporalRuns;
}

const NONE: readonly OutOfCachePlan[] = [];
export const COLUMNS: OutOfCachePlan = { outOfCache: { what: "columns" }, alignmentBytes: LINE_BYTES };
const PADDED: OutOfCachePlan = { outOfCache: { what: "padded" }, alignmentBytes: 1 };
export const LONG_RUNS: OutOfCachePlan = { outOfCache: { what: "long runs" }, alignmentBytes: 1 };

/** Elements of which so many stay below `nonTemporalBytes` are not worth a second copy of their code. */
const MOST_OUT_OF_CACHE_ELEMENTS = 2048;
/** The same of columns, which gain most. */
const MOST_OUT_OF_CACHE_COLUMNS = 4096;

/** Out-of-cache plans for elements, the best first; none where nothing is gained. */
export function outOfCachePlansOf(
  context: LoopContext,
  elements: Stream,
  perElement: number,
): readonly OutOfCachePlan[] {
  const least = context.tuning.nonTemporalBytes;
  const size = elements.child.sizeBytes * perElement;
  if (!(least <= MOST_IMMEDIATE) || size < least / MOST_OUT_OF_CACHE_COLUMNS) return NONE;
  if (storesColumns(context, elements)) return [COLUMNS];
  if (size < least / MOST_OUT_OF_CACHE_ELEMENTS) return NONE;
  const runs = context.direction === "pack" ? packedRuns(context, elements) : unpackedRuns(context, elements);
  if (!isMostlyLong(elements))
    return runs === undefined ? padded(context, elements) : [runs, ...padded(context, elements)];
  return runs?.outOfCache.width === 32 ? [runs, LONG_RUNS] : [LONG_RUNS];
}

function padded(context: LoopContext, elements: Stream): readonly OutOfCachePlan[] {
  const streams = [...distinctNodes(elements)].filter((node) => node.kind === "stream").filter(isPadded);
  const fullBytes = streams.length === 0 ? Infinity : paddedFromBytes(context, streams);
  return fullBytes <= context.tuning.nonTemporalBytes ? [{ ...PADDED, fullBytes }] : NONE;
}

/** Only columns of full lines: those of the target begin and end on line boundaries. */
function storesColumns(context: LoopContext, node: LayoutNode): boolean {
  if (node.kind !== "stream") return false;
  const columns = columnsOf(context, node.child, node.strideBytes);
  if (columns !== undefined) return fillWholeLines(context, columns);
  return (context.direction === "pack" || node.strideBytes % LINE_BYTES === 0) && storesColumns(context, node.child);
}

/** By the greatest of 8, 16 and 32 bytes that divides every run, so that each store is aligned where the first one is. */
function packedRuns(context: LoopContext, elements: Stream): RunsPlan | undefined {
  let bits = 32 | Math.min(context.isa.widest, 32);
  for (const node of distinctNodes(elements)) {
    if (node.kind === "blocks" && node.blocklengths !== 1) return undefined;
    if (node.kind === "stream" && columnsOf(context, node.child, node.strideBytes) !== undefined) return undefined;
    if (node.kind !== "dense" || node.lengthBytes === 0) continue;
    bits |= node.lengthBytes % 32;
  }
  const width = bits & -bits;
  const merged = fillsStores(elements);
  // Non-temporal stores of single words lose unless they are merged.
  if (width !== 16 && width !== 32 && (width !== 8 || !merged)) return undefined;
  return { outOfCache: { what: "runs", width, merged }, alignmentBytes: merged ? 32 : width };
}

/** Runs of full lines of memory; the end lines of other runs hold bytes that are not ours to write. */
function unpackedRuns(context: LoopContext, elements: Stream): RunsPlan | undefined {
  for (const node of distinctNodes(elements)) if (!isOfWholeLines(node)) return undefined;
  return wholeLines(context);
}

/** Runs that begin and end on line boundaries of the target. */
export const wholeLines = ({ isa }: LoopContext): RunsPlan => ({
  outOfCache: { what: "runs", width: Math.min(isa.widest, 32) as 16 | 32, merged: false },
  alignmentBytes: LINE_BYTES,
});

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
 * Whether all streams of short blocks fill stores of 32 bytes exactly, so that every merged store is aligned where the first
 * one is. The elements' own count does not matter: nothing follows them.
 */
function fillsStores(elements: LayoutNode): boolean {
  const nodes = [...distinctNodes(elements)];
  const isWhole = (node: LayoutNode): boolean => node.sizeBytes % 32 === 0;
  const leaves = nodes.filter((node) => node.kind === "stream" && node.child.kind === "dense" && node !== elements);
  const others = nodes.filter((node) => node.kind === "sequence" || node.kind === "blocks");
  return others.length === 0 && leaves.every(isWhole);
}

const LEAST_LONG_SHARE = 0.75;

/** Whether most bytes lie in runs that are long. */
const isMostlyLong = (elements: LayoutNode): boolean => longBytes(elements) >= LEAST_LONG_SHARE * elements.sizeBytes;

function longBytes(node: LayoutNode): number {
  switch (node.kind) {
    case "dense":
      return node.lengthBytes >= NON_TEMPORAL_RUN_BYTES ? node.lengthBytes : 0;
    case "stream":
      return node.count * longBytes(node.child);
    case "blocks":
      return longBytesOfBlocks(node);
    case "sequence":
      return node.members.reduce((sum, member) => sum + longBytes(member.node), 0);
  }
}

function longBytesOfBlocks(node: Blocks): number {
  const { child, blocklengths, displacementsBytes } = node;
  if (!isRuns(node) || blocklengths === 1) return displacementsBytes.length * longBytes(child);
  let sum = 0;
  for (const length of blocklengths) {
    const bytes = length * child.sizeBytes;
    if (bytes >= NON_TEMPORAL_RUN_BYTES) sum += bytes;
  }
  return sum;
}
