/** Bytes at their place, from the address 0 of a datatype: what an arena held at some moment. */
interface ImagePart {
  readonly startBytes: number;
  readonly bytes: Uint8Array;
}

/** Parts in ascending order, without overlap. */
export type Image = readonly ImagePart[];

/** The bytes of an image at [offsetBytes, offsetBytes + lengthBytes), to read or to write. */
export function viewAt(image: Image, offsetBytes: number, lengthBytes: number): Uint8Array {
  for (const { startBytes, bytes } of image) {
    const from = offsetBytes - startBytes;
    if (from >= 0 && from + lengthBytes <= bytes.length) return bytes.subarray(from, from + lengthBytes);
  }
  throw new RangeError(
    `bytes of a test arena: expected allocated ones, got [${offsetBytes}, ${offsetBytes + lengthBytes})`,
  );
}

/** Where two images of one arena first differ, in words; undefined where they are equal. */
export function differenceOf(actual: Image, expected: Image): string | undefined {
  for (const [i, part] of expected.entries()) {
    const found = (actual[i] as ImagePart).bytes;
    const at = firstDifference(found, part.bytes);
    if (at < part.bytes.length) return `byte ${part.startBytes + at}: expected ${part.bytes[at]}, got ${found[at]}`;
  }
  return undefined;
}

function firstDifference(found: Uint8Array, bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && found[at] === bytes[at]) at++;
  return at;
}
