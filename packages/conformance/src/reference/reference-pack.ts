import { ArgumentError, quoted, requireRecord, type Datatype, type FieldRule, type FieldRules } from "@stowage/ir";
import { entriesIn, type Range } from "./byte-map.js";
import { byteMapOfDatatype } from "./reference-type-map.js";

/** Scattered data in one buffer, and how much of it: by default one element, and its whole packed stream. */
export interface Scattered {
  /** The buffer. */
  readonly bytes: Uint8Array;
  /** Bytes from the start of `bytes` to the datatype's address 0. Default: 0. */
  readonly originBytes?: number;
  /** How many elements there are. Default: 1. */
  readonly count?: number;
  /** The first byte of the packed stream's range. Default: 0. */
  readonly first?: number;
  /** The bytes of the range. Default: up to the end of the packed stream. */
  readonly length?: number;
}

/**
 * Gathers a range of the packed stream, entry by entry of the type map. It is slow and simple, and every backend must
 * agree with it. Throws an ArgumentError where an entry lies outside the buffer, the range outside the packed stream,
 * and for what is no datatype.
 *
 * @example
 * ```ts
 * const columns = vector(3, 2, 5, predefined("MPI_BYTE"));
 * referencePack(columns, { bytes: Uint8Array.from({ length: 12 }, (_, i) => i) }); // 0, 1, 5, 6, 10, 11
 * ```
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

/**
 * Puts packed bytes where they belong, entry by entry of the type map. `packed` holds the range [first, first + length)
 * and nothing before it. Throws an ArgumentError where an entry lies outside the buffer or `packed`, and as
 * referencePack does.
 */
export function referenceUnpack(datatype: Datatype, scattered: Scattered, packed: Uint8Array): void {
  const { map, range, originBytes } = prepared(datatype, scattered);
  requireBytes(packed);
  let used = 0;
  for (const { offsetBytes, lengthBytes } of entriesIn(map, range)) {
    viewOf(scattered.bytes, originBytes + offsetBytes, lengthBytes).set(viewOf(packed, used, lengthBytes));
    used += lengthBytes;
  }
}

const integerFrom = (least: number): FieldRule => ({
  expected: least === 0 ? "an integer of 0 or more" : "an integer",
  allows: (value) => value === undefined || (Number.isSafeInteger(value) && (value as number) >= least),
});
const RULES: FieldRules<Scattered> = {
  bytes: { expected: "a Uint8Array", allows: (value) => value instanceof Uint8Array },
  originBytes: integerFrom(Number.MIN_SAFE_INTEGER),
  count: integerFrom(0),
  first: integerFrom(0),
  length: integerFrom(0),
};

function requireBytes(packed: Uint8Array): void {
  if (!(packed instanceof Uint8Array)) throw new ArgumentError("packed bytes", "a Uint8Array", quoted(packed));
}

function prepared(datatype: Datatype, scattered: Scattered) {
  const { count = 1, first = 0, length, originBytes = 0 } = requireRecord(scattered, "scattered data", RULES);
  const map = byteMapOfDatatype(datatype);
  const packedBytes = count * map.sizeBytes;
  const range: Range = { count, first, length: length ?? packedBytes - first };
  if (range.length < 0 || first + range.length > packedBytes)
    throw new ArgumentError("range", `bytes within [0, ${packedBytes})`, `${range.length} from ${first} on`);
  return { map, range, originBytes };
}

function viewOf(bytes: Uint8Array, startBytes: number, lengthBytes: number): Uint8Array {
  if (startBytes < 0 || startBytes + lengthBytes > bytes.length) {
    const end = startBytes + lengthBytes;
    throw new ArgumentError("entry of a type map", `bytes within [0, ${bytes.length})`, `[${startBytes}, ${end})`);
  }
  return bytes.subarray(startBytes, startBytes + lengthBytes);
}
