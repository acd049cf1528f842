import { canonicalise, lower, subarray, type Datatype, type Layout } from "@stowage/ir";

/** One neighbour of a box of points, and what goes to it and comes from it. */
export interface HaloRegion {
  /** -1, 0 or 1 along each dimension. */
  readonly direction: readonly number[];
  /** Inner points that the neighbour holds as ghosts. */
  readonly datatype: Datatype;
  readonly sent: Layout;
  /** Ghost points that the neighbour owns. */
  readonly received: Layout;
}

/** An array of points with its ghosts, in C's order: the last dimension is dense. */
export interface HaloShape {
  readonly sizes: readonly number[];
  /** Ghost points on each side of each dimension. */
  readonly radius: readonly number[];
  readonly element: Datatype;
}

/** All directions but the one to oneself, in lexicographic order: 8 in two dimensions, 26 in three. */
export function directionsOf(dimensions: number): readonly (readonly number[])[] {
  const all = Array.from({ length: 3 ** dimensions }, (_, i) =>
    Array.from({ length: dimensions }, (__, k) => (Math.floor(i / 3 ** (dimensions - 1 - k)) % 3) - 1),
  );
  return all.filter((direction) => direction.some((step) => step !== 0));
}

/** What a direction's region reaches: a face, an edge or a corner. */
export function regionOf({ sizes, radius, element }: HaloShape, direction: readonly number[]): HaloRegion {
  const width = (k: number): number => radius[k] as number;
  const subsizes = sizes.map((size, k) => (direction[k] === 0 ? size - 2 * width(k) : width(k)));
  const starts = (inner: boolean): number[] =>
    sizes.map((size, k) => {
      if (direction[k] === 0) return width(k);
      if (direction[k] === -1) return inner ? width(k) : 0;
      return size - width(k) * (inner ? 2 : 1);
    });
  const typeAt = (from: number[]): Datatype => subarray({ sizes, subsizes, starts: from, order: "C", child: element });
  const layoutOf = (type: Datatype): Layout => canonicalise(lower(type));
  const datatype = typeAt(starts(true));
  return { direction, datatype, sent: layoutOf(datatype), received: layoutOf(typeAt(starts(false))) };
}
