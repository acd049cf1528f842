import { canonicalise } from "../canonicalise/canonicalise.js";
import { isDenseLayout, type Layout } from "../layout/layout.js";
import { stridedBlock } from "../strided-block.js";
import { requireLayout } from "../layout/layout.js";
import { requireArray, requireObject } from "../checks/require-argument.js";
import { requireNatural, requireSafeInteger } from "../safe-integer.js";

/** One dimension of a box: how many copies of what is inside there are, and how far apart they start. */
export interface Dimension {
  readonly count: number;
  readonly strideBytes: number;
}

/**
 * Rows of contiguous bytes from `startBytes` on, repeated along dimensions, the innermost first. TEMPI, section 3.3.
 */
export interface Box {
  /** The first packed byte, from the address 0 of the datatype. */
  readonly startBytes: number;
  /** Contiguous bytes of each row. */
  readonly rowBytes: number;
  /** The innermost dimension first; none where the box is one row. */
  readonly dimensions: readonly Dimension[];
}

/** A layout as one box; undefined where it is no strided object. An empty layout has rows of 0 bytes. */
export function boxOf(layout: Layout): Box | undefined {
  requireLayout(layout);
  if (layout.sizeBytes === 0) return { startBytes: 0, rowBytes: 0, dimensions: [] };
  const block = stridedBlock(isDenseLayout(layout) ? layout : canonicalise(layout));
  if (block === undefined) return undefined;
  const [rowBytes = 0, ...counts] = block.counts;
  const dimensions = counts.map((count, i) => ({ count, strideBytes: block.stridesBytes[i + 1] ?? 0 }));
  return merged({ startBytes: block.startBytes, rowBytes, dimensions });
}

/**
 * `count` copies of a box, extentBytes apart: one dimension more, unless it merges into what is there. Throws a
 * DatatypeError for numbers out of range, an ArgumentError where `box` is none.
 */
export function repeatedBox(box: Box, count: number, extentBytes: number): Box {
  requireBox(box);
  requireNatural(count, "count of boxes");
  requireSafeInteger(extentBytes, "extent of a box in bytes");
  return merged({ ...box, dimensions: [...box.dimensions, { count, strideBytes: extentBytes }] });
}

/** Equal objects become one form: unit dimensions go, and a dimension that continues the one below joins it. */
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

/** Bytes that a box packs to. */
export const boxBytes = (box: Box): number =>
  requireBox(box).dimensions.reduce((size, { count }) => size * count, box.rowBytes);

/** Throws an ArgumentError where plain JavaScript handed over something else. */
export function requireBox(box: Box): Box {
  requireObject(box, "box", "an object of startBytes, rowBytes, dimensions");
  requireSafeInteger(box.startBytes, "start of a box in bytes");
  requireNatural(box.rowBytes, "row of a box in bytes");
  for (const dimension of requireArray(box.dimensions, "dimensions of a box", "a list of { count, strideBytes }")) {
    requireObject(dimension, "dimension of a box", "{ count, strideBytes }");
    requireNatural(dimension.count, "count of a dimension");
    requireSafeInteger(dimension.strideBytes, "stride of a dimension in bytes");
  }
  return box;
}
