import { forEachRun, type Layout } from "@stowage/ir";
import { reachOf, type Range } from "../raw.js";

const LINE_BYTES = 64;

/** A map of the bytes in reach: 1 where a byte is one of the range's. */
export function bytesOfRange(layout: Layout, range: Range): Uint8Array {
  const { low, high } = reachOf(layout, range.count);
  const bytes = new Uint8Array(high - low);
  forEachRun(layout, range, (offset, length) => void bytes.fill(1, offset - low, offset - low + length));
  return bytes;
}

/** A map of bytes that begin at an address, by lines: all bytes of a line that holds one are 1. */
export function linesOf(bytes: Uint8Array, address: number): Uint8Array {
  const lines = new Uint8Array(bytes.length);
  const before = address % LINE_BYTES;
  for (let start = -before; start < bytes.length; start += LINE_BYTES) {
    const [from, to] = [Math.max(0, start), start + LINE_BYTES];
    if (bytes.subarray(from, to).includes(1)) lines.fill(1, from, to);
  }
  return lines;
}
