import { applyStencil, forEachRow } from "./stencil-loops.js";
import { valuesOf, type Box, type Element, type Stencil, type Values } from "./stencil.js";

/** One rank's part of the points of a stencil. */
export interface Part {
  /** Its own points along each dimension, and with ghosts. */
  readonly inner: readonly number[];
  readonly sizes: readonly number[];
  /** The whole's point at its first own one. */
  readonly origin: readonly number[];
  readonly whole: readonly number[];
}

/** Every other part along a dimension is shorter, so that no two beside each other are equal. */
const UNEVEN_POINTS = 3;

/** Where a rank is in a grid of ranks, the last dimension's neighbours side by side, as MPI_Cart_create has them. */
export const coordinatesOf = (grid: readonly number[], rank: number): readonly number[] =>
  grid.map((parts, k) => Math.floor(rank / grid.slice(k + 1).reduce((a, b) => a * b, 1)) % parts);

/** A rank's part of a grid; `uneven` makes parts odd and unequal. */
export function partOf(stencil: Stencil, grid: readonly number[], rank: number, points: number, uneven: boolean): Part {
  const lengthAt = (k: number, at: number): number => (uneven ? points - 1 - k - (at % 2) * UNEVEN_POINTS : points);
  const sum = (k: number, parts: number): number =>
    Array.from({ length: parts }, (_, at) => lengthAt(k, at)).reduce((a, b) => a + b, 0);
  const coordinates = coordinatesOf(grid, rank);
  const inner = coordinates.map((at, k) => lengthAt(k, at));
  return {
    inner,
    sizes: inner.map((length) => length + 2 * stencil.radius),
    origin: coordinates.map((at, k) => sum(k, at)),
    whole: grid.map((parts, k) => sum(k, parts)),
  };
}

const STRIDES = [283, 179, 73] as const;
const PRIME = 1009;
const FIRST = 7;

interface Filling {
  /** The whole's point at the first of the box, and the whole's lengths. */
  readonly origin: readonly number[];
  readonly whole: readonly number[];
  /** The part whose ghosts are to come. */
  readonly ghosts?: Part;
}

/**
 * Fills a box of points with what they hold at first, the same for every part. What is outside of a whole that is no
 * ring stays so; points that are to come from a neighbour are NaN.
 */
export function fillInitial(
  stencil: Stencil,
  values: Values,
  sizes: readonly number[],
  { origin, whole, ghosts }: Filling,
): void {
  const { periodic } = stencil;
  const last = sizes.length - 1;
  const everything = { low: sizes.map(() => 0), high: sizes };
  const along = (k: number, at: number): Along => {
    const length = whole[k] as number;
    const own = at - (ghosts?.origin[k] ?? 0);
    return {
      sum: (periodic ? ((at % length) + length) % length : at + PRIME) * (STRIDES[k] as number),
      isOutside: !periodic && (at < 0 || at >= length),
      isGhost: ghosts !== undefined && (own < 0 || own >= (ghosts.inner[k] as number)),
    };
  };
  const columns = Array.from({ length: sizes[last] as number }, (_, i) => along(last, (origin[last] as number) + i));
  forEachRow(everything, sizes, (first, length, point) => {
    const row = point.slice(0, last).map((at, k) => along(k, (origin[k] as number) + at));
    const rowSum = row.reduce((sum, { sum: own }) => sum + own, FIRST);
    const [isOutside, isGhost] = [row.some((each) => each.isOutside), row.some((each) => each.isGhost)];
    for (let i = 0; i < length; i++) {
      const column = columns[i] as Along;
      const comes = (isGhost || column.isGhost) && !isOutside && !column.isOutside;
      values[first + i] = comes ? NaN : ((rowSum + column.sum) % PRIME) / PRIME - 0.5;
    }
  });
}

/**
 * What a point's position along one dimension says: its share of the value, and whether it is outside of the whole, or
 * of the part.
 */
interface Along {
  readonly sum: number;
  readonly isOutside: boolean;
  readonly isGhost: boolean;
}

/**
 * What a serial run leaves in a box of the whole's points, after so many iterations: the box grown by what reaches into
 * it.
 */
export function serialBox(stencil: Stencil, element: Element, whole: readonly number[], box: Box, iterations: number) {
  const reach = stencil.radius * iterations;
  const origin = box.low.map((at) => at - reach);
  const sizes = box.high.map((at, k) => at - (box.low[k] as number) + 2 * reach);
  const length = sizes.reduce((a, b) => a * b, 1);
  let [from, to] = [valuesOf(element, length), valuesOf(element, length)];
  for (const values of [from, to]) fillInitial(stencil, values, sizes, { origin, whole });
  for (let i = 1; i <= iterations; i++) {
    const margin = stencil.radius * i;
    // What is outside of the whole is not computed.
    const low = sizes.map((_, k) => Math.max(margin, stencil.periodic ? 0 : -(origin[k] as number)));
    const high = sizes.map((size, k) =>
      Math.min(size - margin, stencil.periodic ? size : (whole[k] as number) - (origin[k] as number)),
    );
    applyStencil(stencil, element, [from, to], sizes, { low, high });
    [from, to] = [to, from];
  }
  return { values: from, sizes, low: sizes.map(() => reach) };
}
