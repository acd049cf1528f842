import { general, type Label, type Register } from "@stowage/asm-x64";
import { distinctNodes, isRuns, type Blocks, type LayoutNode, type Stream } from "@stowage/ir";
import { LINE_BYTES } from "./cache.js";
import { STREAMED_RUN_BYTES } from "./cost.js";
import { MOST_IMMEDIATE, type Emitter } from "./emitter.js";
import { isSpaced, spacedFromBytes } from "./pace.js";
import { columnsOf, fillWholeLines } from "./transpose.js";

/**
 * What is done for wholes beyond the caches. Stored past the cache: each store of every run, of a width that divides
 * them all (`assembled`: by blocks that are put together in registers first); tiles of columns; or the lines that lie
 * inside long runs. "spaced": short blocks are kept apart (pace.ts).
 */
export type Streaming = StreamedRuns | StreamedColumns | { readonly what: "long runs" } | { readonly what: "spaced" };

interface StreamedColumns {
  readonly what: "columns";
  /** Whether columns begin and end in the middle of lines. */
  readonly halves?: true;
}

interface StreamedRuns {
  readonly what: "runs";
  readonly width: 8 | 16 | 32;
  readonly assembled: boolean;
}

export interface StreamingPlan {
  readonly streaming: Streaming;
  /** What must divide the target's address. */
  readonly alignmentBytes: number;
  /** Packed bytes of a whole from which this is done; where nothing is said, the tuning's `streamingBytes`. */
  readonly wholeBytes?: number;
}

interface RunsPlan extends StreamingPlan {
  readonly streaming: StreamedRuns;
}

/** What must divide the place in the target of a loop's first child, where the children before it do not see to that. */
export function alignmentOfChildren(streaming: Streaming): number {
  if (streaming.what === "columns") return LINE_BYTES;
  return streaming.what === "runs" && streaming.assembled ? 32 : 1;
}

/** To `cached` where so much is not to be stored past the cache, or where the target is not aligned for it. */
export function emitUnlessStreamed(
  e: Emitter,
  amount: Register,
  least: number,
  alignmentBytes: number,
  cached: Label,
): void {
  e.emit(general.cmp_rm64_imm32, amount, least);
  e.emit(general.jb_rel32, cached);
  if (alignmentBytes === 1) return;
  e.emit(general.test_rm64_imm32, e.target, alignmentBytes - 1);
  e.emit(general.jne_rel32, cached);
}

const NONE: readonly StreamingPlan[] = [];
export const COLUMNS: StreamingPlan = { streaming: { what: "columns" }, alignmentBytes: LINE_BYTES };
const SPACED: StreamingPlan = { streaming: { what: "spaced" }, alignmentBytes: 1 };
export const LONG_RUNS: StreamingPlan = { streaming: { what: "long runs" }, alignmentBytes: 1 };

/** Elements so small that this many stay below the streaming size are not worth a second copy of their code. */
const MOST_STREAMED_ELEMENTS = 2048;
/** The same of columns, which gain most. */
const MOST_STREAMED_COLUMNS = 4096;

/** How elements may be stored past the cache, the best first; none where nothing is gained by it. */
export function streamingPlansOf(e: Emitter, elements: Stream, perElement: number): readonly StreamingPlan[] {
  const least = e.tuning.streamingBytes;
  const size = elements.child.sizeBytes * perElement;
  if (!(least <= MOST_IMMEDIATE) || size < least / MOST_STREAMED_COLUMNS) return NONE;
  if (streamsColumns(e, elements)) return [COLUMNS];
  if (size < least / MOST_STREAMED_ELEMENTS) return NONE;
  const runs = e.direction === "pack" ? packedRuns(e, elements) : unpackedRuns(e, elements);
  if (!isMostlyLong(elements)) return runs === undefined ? spaced(e, elements) : [runs, ...spaced(e, elements)];
  return runs?.streaming.width === 32 ? [runs, LONG_RUNS] : [LONG_RUNS];
}

function spaced(e: Emitter, elements: Stream): readonly StreamingPlan[] {
  const streams = [...distinctNodes(elements)].filter((node) => node.kind === "stream").filter(isSpaced);
  const wholeBytes = streams.length === 0 ? Infinity : spacedFromBytes(e, streams);
  return wholeBytes <= e.tuning.streamingBytes ? [{ ...SPACED, wholeBytes }] : NONE;
}

/** Nothing but columns whose lines are all whole: those of the target begin and end where its cache lines do. */
function streamsColumns(e: Emitter, node: LayoutNode): boolean {
  if (node.kind !== "stream") return false;
  const columns = columnsOf(e, node.child, node.strideBytes);
  if (columns !== undefined) return fillWholeLines(e, columns);
  return (e.direction === "pack" || node.strideBytes % LINE_BYTES === 0) && streamsColumns(e, node.child);
}

/** By the greatest of 8, 16 and 32 bytes that divides every run, so that each store is aligned where the first one is. */
function packedRuns(e: Emitter, elements: Stream): RunsPlan | undefined {
  let bits = 32 | Math.min(e.isa.widest, 32);
  for (const node of distinctNodes(elements)) {
    if (node.kind === "blocks" && node.blocklengths !== 1) return undefined;
    if (node.kind === "stream" && columnsOf(e, node.child, node.strideBytes) !== undefined) return undefined;
    if (node.kind !== "dense" || node.lengthBytes === 0) continue;
    bits |= node.lengthBytes % 32;
  }
  const width = bits & -bits;
  const assembled = fillsStores(elements);
  // By single words they lose unless words are put together first.
  if (width !== 16 && width !== 32 && (width !== 8 || !assembled)) return undefined;
  return { streaming: { what: "runs", width, assembled }, alignmentBytes: assembled ? 32 : width };
}

/** Runs of whole lines of memory; of others the lines at either end are partly somebody else's. */
function unpackedRuns(e: Emitter, elements: Stream): RunsPlan | undefined {
  for (const node of distinctNodes(elements)) if (!isOfWholeLines(node)) return undefined;
  return wholeLines(e);
}

/** Runs that begin and end with lines of the target. */
export const wholeLines = ({ isa }: Emitter): RunsPlan => ({
  streaming: { what: "runs", width: Math.min(isa.widest, 32) as 16 | 32, assembled: false },
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
 * Whether all streams of short blocks fill whole stores of 32 bytes, so that every store that assembles blocks is
 * aligned where the first one is. The elements' own count does not matter: what follows them is nothing.
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
      return node.lengthBytes >= STREAMED_RUN_BYTES ? node.lengthBytes : 0;
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
    if (bytes >= STREAMED_RUN_BYTES) sum += bytes;
  }
  return sum;
}
