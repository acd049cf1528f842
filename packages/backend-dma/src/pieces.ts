import type { Box, Dimension, PackedBox } from "@stowage/ir";

/** What one call of the driver copies: a run of bytes, rows of a plane, or planes. */
export interface Piece {
  readonly startBytes: number;
  readonly packedBytes: number;
  readonly rowBytes: number;
  readonly rows: number;
  readonly planes: number;
  readonly pitchBytes: number;
  /** Rows from one plane to the next. */
  readonly planeRows: number;
}

/** How many of the innermost dimensions one copy takes: pitches must be positive and no rows or planes may overlap. */
export function dimensionsPerCopy({ rowBytes, dimensions }: Box, maxPitchBytes: number): 0 | 1 | 2 {
  const [rows, planes] = dimensions;
  if (rows === undefined || rows.strideBytes < rowBytes || rows.strideBytes > maxPitchBytes) return 0;
  if (planes === undefined) return 1;
  const planeRows = planes.strideBytes / rows.strideBytes;
  return Number.isInteger(planeRows) && planeRows >= rows.count ? 2 : 1;
}

/** Copies that a box takes. */
export function copiesOf(box: Box, maxPitchBytes: number): number {
  return box.dimensions.slice(dimensionsPerCopy(box, maxPitchBytes)).reduce((copies, { count }) => copies * count, 1);
}

/** The copies themselves: one for each place of the dimensions that no copy takes. */
export function* piecesOf({ box, packedBytes }: PackedBox, maxPitchBytes: number): Generator<Piece> {
  const taken = dimensionsPerCopy(box, maxPitchBytes);
  const [rows, planes] = box.dimensions.slice(0, taken);
  const shape = {
    rowBytes: box.rowBytes,
    rows: rows?.count ?? 1,
    planes: planes?.count ?? 1,
    pitchBytes: rows?.strideBytes ?? box.rowBytes,
    planeRows: planes === undefined || rows === undefined ? (rows?.count ?? 1) : planes.strideBytes / rows.strideBytes,
  };
  const pieceBytes = shape.rowBytes * shape.rows * shape.planes;
  let packed = packedBytes;
  for (const offset of places(box.dimensions.slice(taken))) {
    yield { ...shape, startBytes: box.startBytes + offset, packedBytes: packed };
    packed += pieceBytes;
  }
}

/** Offsets of all places of some dimensions, the innermost running first. */
function* places(dimensions: readonly Dimension[]): Generator<number> {
  const outermost = dimensions.at(-1);
  if (outermost === undefined) {
    yield 0;
    return;
  }
  for (let i = 0; i < outermost.count; i++) {
    for (const inner of places(dimensions.slice(0, -1))) yield i * outermost.strideBytes + inner;
  }
}
