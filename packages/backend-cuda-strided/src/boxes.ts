import type { Geometry } from "./geometry.js";
import { sizeOf } from "./geometry.js";

/** A whole geometry, and where its bytes start in the packed stream. */
export interface Box {
  readonly geometry: Geometry;
  readonly packedBytes: number;
}

/**
 * The packed range [first, first + length) of a geometry as whole ones: at each level what is left of the first copy,
 * the whole copies after it, and the beginning of the last. At most two a level and one.
 */
export function* boxesIn(geometry: Geometry, first: number, length: number, packedBytes = first): Generator<Box> {
  if (length === 0) return;
  const outermost = geometry.dimensions.at(-1);
  if (outermost === undefined) {
    yield { geometry: { ...geometry, startBytes: geometry.startBytes + first, rowBytes: length }, packedBytes };
    return;
  }
  const inner: Geometry = { ...geometry, dimensions: geometry.dimensions.slice(0, -1) };
  const innerBytes = sizeOf(inner);
  const at = (copy: number): Geometry => ({ ...inner, startBytes: inner.startBytes + copy * outermost.strideBytes });
  let copy = Math.floor(first / innerBytes);
  let done = 0;
  const skipped = first % innerBytes;
  if (skipped > 0) {
    done = Math.min(length, innerBytes - skipped);
    yield* boxesIn(at(copy), skipped, done, packedBytes);
    copy++;
  }
  const whole = Math.floor((length - done) / innerBytes);
  if (whole > 0) {
    const dimensions = [...inner.dimensions, { count: whole, strideBytes: outermost.strideBytes }];
    yield { geometry: whole === 1 ? at(copy) : { ...at(copy), dimensions }, packedBytes: packedBytes + done };
    done += whole * innerBytes;
    copy += whole;
  }
  if (done < length) yield* boxesIn(at(copy), 0, length - done, packedBytes + done);
}
