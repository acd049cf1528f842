import { layoutStatistics, type Layout, type LayoutStatistics } from "@stowage/ir";
import type { Amounts } from "./amounts.js";
import type { FigureOf } from "./profile.js";

/** Elements side by side, as a walk over all of them meets them. */
export interface Walk {
  readonly layout: Layout;
  /** Of one element. */
  readonly statistics: LayoutStatistics;
  readonly count: number;
  readonly packedBytes: number;
  readonly blocks: number;
  readonly meanBytes: number;
  readonly groups: number;
  readonly lines: number;
  readonly sectors: number;
  readonly pages: number;
}

const LINE_BYTES = 64;
const SECTOR_BYTES = 32;
const PAGE_BYTES = 4096;

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
 * Lines that a call which runs again and again on the same memory fetches from each level, of the scattered side and of the
 * packed one, and pages beyond the reach of the dTLB. A level serves what does not fit those before it: it costs what its
 * figure says more than the level before. Rises with the bytes that are touched.
 */
export function memoryTraffic({ packedBytes, lines, pages }: Walk, host: FigureOf): Amounts {
  const touchedBytes = lines * LINE_BYTES + packedBytes;
  const packedLines = packedBytes / LINE_BYTES;
  const [l2, llc, memory] = ["l1Bytes", "l2Bytes", "llcBytes"].map((cache) =>
    missedShare(touchedBytes, host(cache)),
  ) as [number, number, number];
  return {
    "line.l2": lines * l2,
    "line.llc": lines * llc,
    "line.memory": lines * memory,
    "packedLine.l2": packedLines * l2,
    "packedLine.llc": packedLines * llc,
    "packedLine.memory": packedLines * memory,
    "page.l2": pages * l2,
    "page.llc": pages * llc,
    "page.memory": pages * memory,
  };
}

/** 0 where all fits half the cache, 1 from twice its bytes on, and between by the logarithm. */
const missedShare = (touchedBytes: number, cacheBytes: number): number =>
  cacheBytes === 0 ? 1 : Math.max(0, Math.min(1, (Math.log2(touchedBytes / cacheBytes) + 1) / 2));
