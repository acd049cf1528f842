import { layoutStatistics, type Layout, type LayoutStatistics } from "@stowage/ir";
import type { Amounts } from "./amounts.js";
import type { FigureOf } from "./profile.js";

/** One pass over the bytes of `count` elements side by side, in numbers that cost models use. */
export interface Walk {
  /** The layout of one element. */
  readonly layout: Layout;
  /** The statistics of one element. */
  readonly statistics: LayoutStatistics;
  /** How many elements there are. */
  readonly count: number;
  /** The bytes of all elements together, packed. */
  readonly packedBytes: number;
  /** How many contiguous blocks they have; at most 1 where elements side by side are one run. */
  readonly blocks: number;
  /** The mean length of a block in bytes; 0 where there is none. */
  readonly meanBytes: number;
  /** How many innermost loops over blocks they have. Elements of one block each are one loop together. */
  readonly groups: number;
  /** How many cache lines of 64 bytes they touch, estimated; it may be a fraction. */
  readonly lines: number;
  /** How many sectors of 32 bytes, the unit of a GPU's memory, they touch, estimated. */
  readonly sectors: number;
  /** How many pages of 4,096 bytes they touch, estimated. */
  readonly pages: number;
}

const LINE_BYTES = 64;
const SECTOR_BYTES = 32;
const PAGE_BYTES = 4096;

/** Describes a pass over `count` elements of a layout. Throws an ArgumentError for what is no layout. */
export function walkOver(layout: Layout, count: number): Walk {
  const statistics = layoutStatistics(layout);
  const { sizeBytes, spanBytes, extentBytes, isOneRun, groups } = statistics;
  const packedBytes = sizeBytes * count;
  const reachBytes = spanBytes + Math.max(0, count - 1) * Math.abs(extentBytes);
  const units = (ofOne: number, unitBytes: number): number => Math.min(ofOne * count, reachBytes / unitBytes + 1);
  const blocks = isOneRun ? Math.min(1, packedBytes) : statistics.blockCount * count;
  return {
    layout,
    statistics,
    count,
    packedBytes,
    blocks,
    meanBytes: blocks === 0 ? 0 : packedBytes / blocks,
    // Elements of one block each are a loop themselves.
    groups: statistics.blockCount === 1 ? Math.min(1, count) : groups * count,
    lines: units(statistics.lines, LINE_BYTES),
    sectors: units(statistics.sectors, SECTOR_BYTES),
    pages: units(statistics.pages, PAGE_BYTES),
  };
}

/**
 * Estimates what a call that runs again and again on the same memory fetches: cache lines from each level, and pages
 * beyond the reach of each dTLB. Lines of runs and of a dense walk are prefetched, those of scattered blocks are not,
 * and stored packed lines are counted apart; each has a figure of its own. A level serves what does not fit those
 * before it, and its figure is what a line costs more there than in the level before. `host` gives l1Bytes, l2Bytes and
 * llcBytes. The amounts rise with the bytes that are touched.
 */
export function memoryTraffic(walk: Walk, host: FigureOf): Amounts {
  const { packedBytes, lines, pages } = walk;
  // Lines a way apart share a set of L1d, and of L2, whose index has the same bits of a page's offset.
  const touchedBytes = lines * LINE_BYTES + packedBytes;
  const crowdedBytes = lines * LINE_BYTES * linesOfASet(walk) + packedBytes;
  const [l2, llc] = [missedShare(crowdedBytes, host("l1Bytes")), missedShare(crowdedBytes, host("l2Bytes"))];
  const memory = missedShare(touchedBytes, host("llcBytes"));
  const packedLines = packedBytes / LINE_BYTES;
  const runLines = lines * runShare(walk);
  const blockLines = lines - runLines;
  return {
    "line.l2": blockLines * l2,
    "line.llc": blockLines * llc,
    "line.memory": blockLines * memory,
    "runLine.l2": runLines * l2,
    "runLine.llc": runLines * llc,
    "runLine.memory": runLines * memory,
    "packedLine.l2": packedLines * l2,
    "packedLine.llc": packedLines * llc,
    "packedLine.memory": packedLines * memory,
    "page.near": pages * missedShare(pages, NEAR_TLB_PAGES),
    "page.far": pages * missedShare(pages, FAR_TLB_PAGES),
  };
}

/**
 * Entries of the first and the second dTLB: 64 to 96, and 1,536 to 3,072, of AMD's and Intel's processors since 2017.
 */
const [NEAR_TLB_PAGES, FAR_TLB_PAGES] = [64, 2048];
/** A way of L1d. */
const WAY_BYTES = 4096;

/** How many times as many lines as evenly spread ones would fall on the sets that blocks of one stride reach. */
function linesOfASet({ statistics, meanBytes }: Walk): number {
  const strideBytes = statistics.leastStrideBytes || Math.abs(statistics.extentBytes);
  if (strideBytes === 0) return 1;
  let commonBytes = WAY_BYTES;
  while (strideBytes % commonBytes !== 0) commonBytes /= 2;
  return Math.max(1, commonBytes / Math.max(LINE_BYTES, meanBytes));
}

/**
 * A walk that touches every line or every other has the next ones fetched ahead, as has a block behind its second line.
 */
const DENSE_BYTES = 2 * LINE_BYTES;

/** The share of one element, which does not change with their number. */
function runShare({ statistics }: Walk): number {
  const { blockCount, lines, spanBytes, extentBytes } = statistics;
  const reachBytes = blockCount === 1 ? Math.abs(extentBytes) : spanBytes;
  if (lines === 0 || reachBytes / lines <= DENSE_BYTES) return 1;
  return Math.max(0, 1 - (2 * blockCount) / lines);
}

/** 0 where all fits half of what there is, 1 from twice as much on, and between by the logarithm. */
const missedShare = (touched: number, fits: number): number =>
  fits === 0 ? 1 : touched === 0 ? 0 : Math.max(0, Math.min(1, (Math.log2(touched / fits) + 1) / 2));
