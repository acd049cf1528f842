import { canonicalise, isDenseLayout, stridedBlock, type Layout } from "@stowage/ir";

export interface Dimension {
  readonly count: number;
  readonly strideBytes: number;
}

/** Rows of contiguous bytes from `startBytes` on, repeated along dimensions, the innermost first. */
export interface Box {
  readonly startBytes: number;
  readonly rowBytes: number;
  readonly dimensions: readonly Dimension[];
}

/** A layout as one box; undefined where it is none. */
export function boxOf(layout: Layout): Box | undefined {
  if (layout.sizeBytes === 0) return { startBytes: 0, rowBytes: 0, dimensions: [] };
  const block = stridedBlock(isDenseLayout(layout) ? layout : canonicalise(layout));
  if (block === undefined) return undefined;
  const [rowBytes = 0, ...counts] = block.counts;
  const dimensions = counts.map((count, i) => ({ count, strideBytes: block.stridesBytes[i + 1] ?? 0 }));
  return merged({ startBytes: block.startBytes, rowBytes, dimensions });
}

/** `count` copies of a box, extentBytes apart. */
export function repeated(box: Box, count: number, extentBytes: number): Box {
  return merged({ ...box, dimensions: [...box.dimensions, { count, strideBytes: extentBytes }] });
}

/** Unit dimensions go; a dimension that continues the one below joins it. */
function merged({ startBytes, rowBytes, dimensions }: Box): Box {
  const kept: Dimension[] = [];
  let row = rowBytes;
  for (const { count, strideBytes } of dimensions) {
    const below = kept.at(-1);
    if (count === 1) continue;
    if (below === undefined && strideBytes === row) row *= count;
    else if (below !== undefined && strideBytes === below.count * below.strideBytes) {
      kept[kept.length - 1] = { count: below.count * count, strideBytes: below.strideBytes };
    } else kept.push({ count, strideBytes });
  }
  return { startBytes, rowBytes: row, dimensions: kept };
}

export const sizeOf = ({ rowBytes, dimensions }: Box): number =>
  dimensions.reduce((size, { count }) => size * count, rowBytes);

/** A box, and where its bytes start in the packed stream. */
export interface PackedBox {
  readonly box: Box;
  readonly packedBytes: number;
}

/**
 * The packed range [first, first + length) of a box as whole boxes: at each level what is left of the first copy,
 * the whole copies after it, and the beginning of the last. At most two a level and one.
 */
export function* boxesIn(box: Box, first: number, length: number, packedBytes = first): Generator<PackedBox> {
  if (length === 0) return;
  const outermost = box.dimensions.at(-1);
  if (outermost === undefined) {
    yield { box: { ...box, startBytes: box.startBytes + first, rowBytes: length }, packedBytes };
    return;
  }
  const inner: Box = { ...box, dimensions: box.dimensions.slice(0, -1) };
  const innerBytes = sizeOf(inner);
  const at = (copy: number): Box => ({ ...inner, startBytes: inner.startBytes + copy * outermost.strideBytes });
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
    yield { box: whole === 1 ? at(copy) : { ...at(copy), dimensions }, packedBytes: packedBytes + done };
    done += whole * innerBytes;
    copy += whole;
  }
  if (done < length) yield* boxesIn(at(copy), 0, length - done, packedBytes + done);
}
