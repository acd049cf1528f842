import type { Layout } from "../layout/layout.js";
import type { PackedRange } from "./packed-range.js";
import { RunCursor } from "./run-cursor.js";
import { quoted } from "../checks/quoted.js";
import { ArgumentError } from "../errors.js";

/** Where the bytes of a packed range lie, run by run, as writev or a device's copy list takes them. */
export interface Iov {
  /** Where each run begins, in bytes from the address 0 of element zero. */
  readonly offsets: Float64Array;
  /** How many bytes each run has, as many entries as `offsets`. */
  readonly lengths: Float64Array;
  /** The first packed byte that is not in the list: where the next one starts, or the end of the range. */
  readonly nextByte: number;
}

/**
 * Lists the runs of a packed range in packed order, at most `max` of them (Infinity: all); runs that touch in packed
 * order are joined. Throws as forEachRun does, and an ArgumentError where `max` is less than 1.
 *
 * @example
 * ```typescript
 * const column = lower(vector(3, 1, 4, "MPI_DOUBLE"));
 * const { offsets, lengths, nextByte } = iov(column, { count: 1, first: 4, length: 20 }, 2);
 * // offsets [4, 32], lengths [4, 8]; the next list starts at nextByte 16
 * ```
 */
export function iov(layout: Layout, range: PackedRange, max: number): Iov {
  if (max !== Infinity && !(Number.isSafeInteger(max) && max >= 1)) {
    throw new ArgumentError("most runs of an iov", "an integer from 1 or Infinity", quoted(max));
  }
  const cursor = new RunCursor(layout, range);
  let offsets = new Float64Array(Math.min(max, 16));
  let lengths = new Float64Array(offsets.length);
  let filled = 0;
  let endBytes = NaN; // nothing touches the first run
  let nextByte = range.first;
  for (; cursor.next(); nextByte += cursor.lengthBytes) {
    if (cursor.offsetBytes !== endBytes) {
      if (filled === max) break;
      if (filled === offsets.length) {
        offsets = doubled(offsets);
        lengths = doubled(lengths);
      }
      offsets[filled++] = cursor.offsetBytes;
    }
    lengths[filled - 1] = (lengths[filled - 1] as number) + cursor.lengthBytes;
    endBytes = cursor.offsetBytes + cursor.lengthBytes;
  }
  return { offsets: offsets.slice(0, filled), lengths: lengths.slice(0, filled), nextByte };
}

function doubled(table: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(table.length * 2);
  larger.set(table);
  return larger;
}
