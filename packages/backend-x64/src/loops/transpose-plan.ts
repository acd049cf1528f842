import type { Stretch } from "./stretches.js";

/**
 * Elements of a power of two bytes in rows and columns: the source has the elements of a row side by side, the target
 * those of a column.
 */
export interface Transposed {
  readonly elementBytes: number;
  readonly rows: number;
  readonly rowStrideBytes: number;
  readonly columns: number;
  readonly columnStrideBytes: number;
}

/**
 * So many rows of the source at once, all of their columns; or so many columns, all of their rows, and then a fence
 * where `fenced`.
 */
export type TransposeOrder =
  | { readonly rowsAtOnce: number }
  | { readonly columnsAtOnce: number; readonly fenced?: boolean };

/** Rows that are moved together, and the columns of their tiles. */
export interface Band {
  readonly rows: Stretch;
  /** None: too few rows or columns for a tile; element by element. */
  readonly columns: readonly Stretch[];
}

/** How rows become columns, in tiles through registers. */
export interface TransposePlan {
  readonly order: "rows first" | "columns first";
  /** Whether each column's stores are done before the next ones' begin. */
  readonly fenced: boolean;
  readonly bands: readonly Band[];
}
