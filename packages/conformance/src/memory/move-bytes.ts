import { entriesIn, type ByteMap, type Range } from "../reference/byte-map.js";
import { viewAt, type Image } from "./image.js";

/** The packed bytes of a range, gathered from an image. */
export function packedFrom(image: Image, map: ByteMap, range: Range): Uint8Array {
  const packed = new Uint8Array(range.length);
  let filled = 0;
  for (const { offsetBytes, lengthBytes } of entriesIn(map, range)) {
    packed.set(viewAt(image, offsetBytes, lengthBytes), filled);
    filled += lengthBytes;
  }
  return packed;
}

/** Puts the packed bytes of a range into an image. */
export function unpackInto(image: Image, map: ByteMap, range: Range, packed: Uint8Array): void {
  let used = 0;
  for (const { offsetBytes, lengthBytes } of entriesIn(map, range)) {
    viewAt(image, offsetBytes, lengthBytes).set(packed.subarray(used, used + lengthBytes));
    used += lengthBytes;
  }
}
