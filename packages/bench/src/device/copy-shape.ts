import { runs, stridedBlock, type Layout } from "@stowage/ir";

/** Rows of equal width a pitch apart, in planes of `planeRows` pitches. */
export interface Rows {
  readonly kind: "2D" | "3D";
  readonly startBytes: number;
  readonly widthBytes: number;
  readonly rows: number;
  readonly pitchBytes: number;
  readonly planes: number;
  readonly planeRows: number;
}

/** Blocks wherever they are. */
export interface Batch {
  readonly kind: "batch";
  readonly offsetsBytes: Float64Array;
  readonly lengthsBytes: Float64Array;
}

export interface NoShape {
  readonly kind: "none";
  readonly reason: string;
}

interface Dimension {
  readonly count: number;
  readonly strideBytes: number;
}

/** A batch takes the driver some 3 us a copy: beyond this, a call takes longer than anyone would wait. */
const MOST_COPIES = 2 ** 14;

/**
 * The one copy call that moves `count` elements whole: 2D or 3D where the layout is so many rows, or else a batch.
 * Undefined where they are contiguous, for then a plain copy does.
 */
export function copyShapeOf(layout: Layout, count: number, maxPitchBytes: number): Rows | Batch | NoShape | undefined {
  const dimensions = dimensionsOf(layout, count);
  if (dimensions?.length === 1) return undefined;
  return (dimensions && rowsOf(layout.startBytes, dimensions, maxPitchBytes)) ?? batchOf(layout, count);
}

/** Innermost first, those that continue each other as one. Undefined where the layout is not one strided object. */
function dimensionsOf(layout: Layout, count: number): readonly Dimension[] | undefined {
  const block = stridedBlock(layout);
  if (block === undefined) return undefined;
  const own = block.counts.map((each, i) => ({ count: each, strideBytes: block.stridesBytes[i] as number }));
  const merged: Dimension[] = [];
  for (const dimension of [...own, { count, strideBytes: layout.extentBytes }]) {
    const inner = merged.at(-1);
    if (dimension.count === 1 && inner !== undefined) continue;
    if (inner !== undefined && inner.count * inner.strideBytes === dimension.strideBytes) {
      merged[merged.length - 1] = { ...inner, count: inner.count * dimension.count };
    } else merged.push(dimension);
  }
  return merged;
}

function rowsOf(startBytes: number, dimensions: readonly Dimension[], maxPitchBytes: number): Rows | undefined {
  const [width, row, plane = { count: 1, strideBytes: 0 }, beyond] = dimensions;
  if (width === undefined || row === undefined || beyond !== undefined) return undefined;
  const planeRows = plane.count === 1 ? row.count : plane.strideBytes / row.strideBytes;
  const pitched = row.strideBytes >= width.count && row.strideBytes <= maxPitchBytes;
  if (!pitched || !Number.isInteger(planeRows) || planeRows < row.count) return undefined;
  return {
    kind: plane.count === 1 ? "2D" : "3D",
    startBytes,
    widthBytes: width.count,
    rows: row.count,
    pitchBytes: row.strideBytes,
    planes: plane.count,
    planeRows,
  };
}

function batchOf(layout: Layout, count: number): Batch | NoShape {
  const blocks = layout.root.blockCount * count;
  if (blocks > MOST_COPIES) {
    return {
      kind: "none",
      reason: `neither rows nor planes of rows, and ${blocks} blocks: more than ${MOST_COPIES} copies`,
    };
  }
  const all = [...runs(layout, { count, first: 0, length: count * layout.sizeBytes })];
  return {
    kind: "batch",
    offsetsBytes: Float64Array.from(all, ({ offsetBytes }) => offsetBytes),
    lengthsBytes: Float64Array.from(all, ({ lengthBytes }) => lengthBytes),
  };
}
