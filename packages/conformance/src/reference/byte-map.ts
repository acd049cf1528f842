/** An entry of a type map: the bytes [offsetBytes, offsetBytes + lengthBytes) from a datatype's address 0. */
export interface Entry {
  /** Bytes from the datatype's address 0 to the basic element. */
  readonly offsetBytes: number;
  /** The bytes of the basic element. */
  readonly lengthBytes: number;
}

/** Where the bytes of one element lie, in packed order, and how far apart elements are. */
export interface ByteMap {
  readonly entries: readonly Entry[];
  readonly sizeBytes: number;
  readonly extentBytes: number;
}

/** Bytes [first, first + length) of the packed stream of `count` elements. */
export interface Range {
  readonly count: number;
  readonly first: number;
  readonly length: number;
}

/** The pieces of the entries that a range of the packed stream covers, in packed order. */
export function* entriesIn(map: ByteMap, { count, first, length }: Range): Generator<Entry> {
  if (length === 0) return;
  const firstElement = Math.floor(first / map.sizeBytes);
  let skip = first - firstElement * map.sizeBytes;
  let left = length;
  for (let element = firstElement; element < count && left > 0; element++) {
    for (const { offsetBytes, lengthBytes } of map.entries) {
      const from = Math.min(skip, lengthBytes);
      skip -= from;
      const taken = Math.min(lengthBytes - from, left);
      left -= taken;
      if (taken > 0) yield { offsetBytes: element * map.extentBytes + offsetBytes + from, lengthBytes: taken };
    }
  }
}
