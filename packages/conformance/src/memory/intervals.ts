import type { Entry } from "../reference/byte-map.js";

/** Bytes [low, high). */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The bytes that entries touch, as sorted intervals; those closer than `gapBytes` to one another are one. */
export function intervalsOf(entries: Iterable<Entry>, gapBytes: number): Interval[] {
  const touched = [...entries].filter(({ lengthBytes }) => lengthBytes > 0);
  touched.sort((a, b) => a.offsetBytes - b.offsetBytes);
  const joined: { low: number; high: number }[] = [];
  for (const { offsetBytes, lengthBytes } of touched) {
    const last = joined.at(-1);
    if (last === undefined || offsetBytes >= last.high + gapBytes) {
      joined.push({ low: offsetBytes, high: offsetBytes + lengthBytes });
    } else {
      last.high = Math.max(last.high, offsetBytes + lengthBytes);
    }
  }
  return joined;
}
