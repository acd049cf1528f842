import { sizeOf, type Geometry } from "./geometry.js";

/** A whole geometry, and where its bytes start in the packed stream. */
export interface Box {
  readonly geometry: Geometry;
  readonly packedBytes: number;
}

/** Boxes within one region each, with what turns their offsets into addresses. */
export interface PlacedBox extends Box {
  readonly originAddress: number;
}

/** Where an offset lies, and how many bytes from there on lie in the same region. */
export type AddressAt = (offsetBytes: number) => { readonly address: number; readonly leftBytes: number };

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

/** Cuts a box until each part lies within one region: halves of the outermost dimension, and rows where regions touch. */
export function* withinRegions(at: AddressAt, { geometry, packedBytes }: Box): Generator<PlacedBox> {
  const { startBytes, rowBytes, dimensions } = geometry;
  const { lowBytes, highBytes } = reachOf(geometry);
  const { address, leftBytes } = at(lowBytes);
  const outermost = dimensions.at(-1);
  if (highBytes - lowBytes <= leftBytes) yield { geometry, packedBytes, originAddress: address - lowBytes };
  else if (outermost === undefined) {
    yield* withinRegions(at, { geometry: { ...geometry, rowBytes: leftBytes }, packedBytes });
    const rest = { ...geometry, startBytes: startBytes + leftBytes, rowBytes: rowBytes - leftBytes };
    yield* withinRegions(at, { geometry: rest, packedBytes: packedBytes + leftBytes });
  } else {
    const { count, strideBytes } = outermost;
    const half = Math.floor(count / 2);
    const part = (from: number, length: number): Geometry => ({
      startBytes: startBytes + from * strideBytes,
      rowBytes,
      dimensions: length === 1 ? dimensions.slice(0, -1) : [...dimensions.slice(0, -1), { count: length, strideBytes }],
    });
    const first = part(0, half);
    yield* withinRegions(at, { geometry: first, packedBytes });
    yield* withinRegions(at, { geometry: part(half, count - half), packedBytes: packedBytes + sizeOf(first) });
  }
}

/** The lowest byte of a box is the first of some row, so it lies in a region wherever all rows do. */
function reachOf({ startBytes, rowBytes, dimensions }: Geometry) {
  const ends = dimensions.map(({ count, strideBytes }) => (count - 1) * strideBytes);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, startBytes);
  return { lowBytes: sum(ends.map((end) => Math.min(0, end))), highBytes: rowBytes + sum(ends.map((end) => Math.max(0, end))) };
}
