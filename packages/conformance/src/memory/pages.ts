import type { Interval } from "./intervals.js";

/** Pages around some bytes, and which of them hold one. */
export interface HeldPages {
  /** Place of the first page, from the datatype's address 0. */
  readonly startBytes: number;
  readonly isMapped: readonly boolean[];
}

/** The pages that hold a byte of one of the sorted intervals, where address 0 lies `phaseBytes` into a page. */
export function pagesOf(intervals: readonly Interval[], pageBytes: number, phaseBytes: number): HeldPages {
  const pageAt = (place: number): number => Math.floor((place + phaseBytes) / pageBytes);
  const first = pageAt(Math.min(...intervals.map(({ low }) => low)));
  const isMapped: boolean[] = [];
  for (const { low, high } of intervals) {
    for (let page = pageAt(low); page <= pageAt(high - 1); page++) isMapped[page - first] = true;
  }
  return { startBytes: first * pageBytes - phaseBytes, isMapped: Array.from(isMapped, (held) => held ?? false) };
}

/** The runs of pages that are mapped, as intervals of page numbers. */
export function runsOf(isMapped: readonly boolean[]): readonly Interval[] {
  const runs: { low: number; high: number }[] = [];
  isMapped.forEach((isHeld, page) => {
    const last = runs.at(-1);
    if (!isHeld) return;
    if (last !== undefined && last.high === page) last.high++;
    else runs.push({ low: page, high: page + 1 });
  });
  return runs;
}
