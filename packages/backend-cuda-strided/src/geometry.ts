import { canonicalise, isDenseLayout, stridedBlock, type Layout } from "@stowage/ir";

export interface Dimension {
  readonly count: number;
  readonly strideBytes: number;
}

/** Rows of contiguous bytes, repeated along dimensions, the innermost first. TEMPI, section 3.3. */
export interface Geometry {
  readonly startBytes: number;
  readonly rowBytes: number;
  readonly dimensions: readonly Dimension[];
}

/** What one move's scattered side is; undefined where it is no strided object. An empty layout has rows of 0 bytes. */
export function geometryOf(layout: Layout): Geometry | undefined {
  if (layout.sizeBytes === 0) return { startBytes: 0, rowBytes: 0, dimensions: [] };
  const block = stridedBlock(isDenseLayout(layout) ? layout : canonicalise(layout));
  if (block === undefined) return undefined;
  const [rowBytes = 0, ...counts] = block.counts;
  const dimensions = counts.map((count, i) => ({ count, strideBytes: block.stridesBytes[i + 1] ?? 0 }));
  return merged({ startBytes: block.startBytes, rowBytes, dimensions });
}

/** `count` elements, extentBytes apart: one dimension more, unless it merges into what is there. */
export function repeated(geometry: Geometry, count: number, extentBytes: number): Geometry {
  const dimensions = [...geometry.dimensions, { count, strideBytes: extentBytes }];
  return merged({ ...geometry, dimensions });
}

/** Bytes that a geometry packs to. */
export const sizeOf = ({ rowBytes, dimensions }: Geometry): number =>
  dimensions.reduce((size, { count }) => size * count, rowBytes);

/** Equal objects become one form: unit dimensions go, and a dimension that continues the one below joins it. */
function merged({ startBytes, rowBytes, dimensions }: Geometry): Geometry {
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
