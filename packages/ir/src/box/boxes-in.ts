import { ArgumentError } from "../errors.js";
import { requireNatural, requireSafeInteger } from "../safe-integer.js";
import { boxBytes, requireBox, type Box } from "./box.js";

/** A box, and the byte of the packed stream at which its bytes start. */
export interface PackedBox {
  readonly box: Box;
  readonly packedBytes: number;
}

/**
 * The bytes [first, first + length) of a packed box as whole boxes, in packed order: at each level what is left of the
 * first copy, the whole copies after it, and the beginning of the last. At most two a level and one. `packedBytes` is
 * where the first of them starts in the packed stream. Throws an ArgumentError where the range leaves the box, a
 * DatatypeError for numbers out of range.
 */
export function boxesIn(box: Box, first: number, length: number, packedBytes = first): Generator<PackedBox> {
  requireBox(box);
  requireNatural(first, "first byte of a packed range");
  requireNatural(length, "length of a packed range");
  requireSafeInteger(packedBytes, "place of a box in the packed stream");
  if (first + length > boxBytes(box)) {
    throw new ArgumentError("end of a packed range", `at most ${boxBytes(box)}`, String(first + length));
  }
  return partsOf(box, first, length, packedBytes);
}

function* partsOf(box: Box, first: number, length: number, packedBytes: number): Generator<PackedBox> {
  if (length === 0) return;
  const outermost = box.dimensions.at(-1);
  if (outermost === undefined) {
    yield { box: { ...box, startBytes: box.startBytes + first, rowBytes: length }, packedBytes };
    return;
  }
  const inner: Box = { ...box, dimensions: box.dimensions.slice(0, -1) };
  const innerBytes = boxBytes(inner);
  const at = (copy: number): Box => ({ ...inner, startBytes: inner.startBytes + copy * outermost.strideBytes });
  let copy = Math.floor(first / innerBytes);
  let done = 0;
  const skipped = first % innerBytes;
  if (skipped > 0) {
    done = Math.min(length, innerBytes - skipped);
    yield* partsOf(at(copy), skipped, done, packedBytes);
    copy++;
  }
  const whole = Math.floor((length - done) / innerBytes);
  if (whole > 0) {
    const dimensions = [...inner.dimensions, { count: whole, strideBytes: outermost.strideBytes }];
    yield { box: whole === 1 ? at(copy) : { ...at(copy), dimensions }, packedBytes: packedBytes + done };
    done += whole * innerBytes;
    copy += whole;
  }
  if (done < length) yield* partsOf(at(copy), 0, length - done, packedBytes + done);
}
