import type { Datatype } from "@stowage/ir";
import { entriesIn, type Range } from "./byte-map.js";
import { byteMapOfDatatype } from "./reference-type-map.js";

/** Scattered data in one buffer, and how much of it: by default one element, and its whole packed stream. */
export interface Scattered {
  readonly bytes: Uint8Array;
  /** Offset in `bytes` of the datatype's address 0. Default 0. */
  readonly originBytes?: number;
  readonly count?: number;
  readonly first?: number;
  readonly length?: number;
}

/**
 * The packed bytes of a range of the packed stream, gathered entry by entry. Slow, simple, and what every backend
 * must agree with. Throws a RangeError where an entry lies outside the buffer.
 */
export function referencePack(datatype: Datatype, scattered: Scattered): Uint8Array {
  const { map, range, originBytes } = prepared(datatype, scattered);
  const packed = new Uint8Array(range.length);
  let filled = 0;
  for (const { offsetBytes, lengthBytes } of entriesIn(map, range)) {
    packed.set(viewOf(scattered.bytes, originBytes + offsetBytes, lengthBytes), filled);
    filled += lengthBytes;
  }
  return packed;
}

/** Puts packed bytes where they belong, entry by entry: `packed` holds the range [first, first + length). */
export function referenceUnpack(datatype: Datatype, scattered: Scattered, packed: Uint8Array): void {
  const { map, range, originBytes } = prepared(datatype, scattered);
  let used = 0;
  for (const { offsetBytes, lengthBytes } of entriesIn(map, range)) {
    viewOf(scattered.bytes, originBytes + offsetBytes, lengthBytes).set(viewOf(packed, used, lengthBytes));
    used += lengthBytes;
  }
}

function prepared(datatype: Datatype, { count = 1, first = 0, length, originBytes = 0 }: Scattered) {
  const map = byteMapOfDatatype(datatype);
  const range: Range = { count, first, length: length ?? count * map.sizeBytes - first };
  return { map, range, originBytes };
}

function viewOf(bytes: Uint8Array, startBytes: number, lengthBytes: number): Uint8Array {
  if (startBytes < 0 || startBytes + lengthBytes > bytes.length) {
    const end = startBytes + lengthBytes;
    throw new RangeError(
      `entry of a type map: expected bytes within [0, ${bytes.length}), got [${startBytes}, ${end})`,
    );
  }
  return bytes.subarray(startBytes, startBytes + lengthBytes);
}
