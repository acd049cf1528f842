import {
  ArgumentError,
  denseLayout,
  isDenseLayout,
  quoted,
  requireLayout,
  runUnitBytes,
  type Layout,
} from "@stowage/ir";
import { requireReduction, wholeBytesOf, type Reduction } from "./reduce/reduction.js";
import { requireTables, type MoveTables } from "./tables/move-tables.js";

/**
 * Bytes from one layout to another of the same size, paired in packed order. A dense target makes it a pack, a dense
 * source an unpack; where neither is dense it is a copy from layout to layout. With a reduction it reads a dense
 * source, and combines each element with the one at its place in the target.
 */
export interface Move {
  /** The layout of one element where bytes are read. */
  readonly source: Layout;
  /** The layout of one element where bytes are written, of as many bytes as the source. */
  readonly target: Layout;
  /**
   * How bytes are combined with the target's. Absent: they overwrite them. Only backends that declare `reduces` are
   * handed moves with one.
   */
  readonly reduction?: Reduction;
  /**
   * Which sides take their elements' places from a table at binding. Absent: elements lie an extent apart. Only
   * backends that declare `tables` are handed moves with some.
   */
  readonly tables?: MoveTables;
}

/**
 * What a move does: "pack" where its target is dense (packed bytes), "unpack" where its source is, "copy" where neither
 * is, "reduce" where it combines what it brings with what the target holds.
 */
export type Direction = "pack" | "unpack" | "copy" | "reduce";

/** Makes the move that packs a layout into dense bytes. Throws an ArgumentError for what is no layout. */
export function packMove(source: Layout): Move {
  requireLayout(source, "source of a pack");
  return Object.freeze({ source, target: denseLayout(source.sizeBytes) });
}

/** Makes the move that unpacks dense bytes into a layout. Throws an ArgumentError for what is no layout. */
export function unpackMove(target: Layout): Move {
  requireLayout(target, "target of an unpack");
  return Object.freeze({ source: denseLayout(target.sizeBytes), target });
}

/**
 * Makes an unpack that combines: element after element in packed order, target = source op target. Where elements of
 * the target share bytes, each meets what the one before it left. Throws an ArgumentError where a run of the target
 * would cut an element, or the operation is not defined for the element.
 *
 * @example
 * ```ts
 * const add = reduceMove(column, { op: "MPI_SUM", element: "float64" });
 * ```
 */
export function reduceMove(target: Layout, reduction: Reduction): Move {
  requireLayout(target, "target of a reduction");
  return requireMove(Object.freeze({ source: denseLayout(target.sizeBytes), target, reduction }));
}

/**
 * Makes the move from one layout to another, without a packed stream in between. Throws an ArgumentError where their
 * sizes differ: there would be no byte to pair with.
 */
export function copyMove(source: Layout, target: Layout): Move {
  requireLayout(source, "source of a copy");
  requireLayout(target, "target of a copy");
  if (source.sizeBytes !== target.sizeBytes) {
    throw new ArgumentError("target of a copy", `${source.sizeBytes} bytes an element`, String(target.sizeBytes));
  }
  return Object.freeze({ source, target });
}

/**
 * Makes a move whose elements lie where tables say that come with each binding. Throws an ArgumentError for a move that
 * reduces, and for what can be no tables.
 *
 * @example
 * ```ts
 * // Gathers pages of 4,096 bytes by a table of their numbers.
 * const page = layout(0, dense(4096), { lowerBoundBytes: 0, extentBytes: 4096 });
 * const gather = tabledMove(packMove(page), { source: { index: "u32", strideBytes: 4096 } });
 * ```
 */
export function tabledMove(move: Move, tables: MoveTables): Move {
  requireMove(move);
  return requireMove(Object.freeze({ ...move, tables: Object.freeze({ ...requireTables(tables) }) }));
}

/**
 * What a move does. Where both sides are dense, it counts as a pack; a side with a table is not dense. Throws an
 * ArgumentError for what is no move.
 */
export function directionOf(move: Move): Direction {
  requireMove(move);
  if (move.reduction !== undefined) return "reduce";
  if (isDenseSide(move, "target")) return "pack";
  return isDenseSide(move, "source") ? "unpack" : "copy";
}

/** Whether the elements of a side lie one behind the other without a gap. */
const isDenseSide = (move: Move, side: "source" | "target"): boolean =>
  isDenseLayout(move[side]) && move.tables?.[side] === undefined;

/** Whether elements of a move lie where a table says that comes with the binding. */
export const isTabled = ({ tables }: Move): boolean => tables !== undefined;

/** Whether a move combines what arrives with what is there. */
export const isReducing = ({ reduction }: Move): boolean => reduction !== undefined;

/** The layout of the side that is not the packed stream; of a copy, that of its source. */
export function scatteredLayout(move: Move): Layout {
  const direction = directionOf(move);
  return direction === "unpack" || direction === "reduce" ? move.target : move.source;
}

/** Throws an ArgumentError where plain JavaScript handed over something that is no move. */
export function requireMove(move: Move, subject = "move"): Move {
  if (typeof move !== "object" || (move as Move | null) === null)
    throw new ArgumentError(subject, "{ source, target }", quoted(move));
  requireLayout(move.source, `source of a ${subject}`);
  requireLayout(move.target, `target of a ${subject}`);
  if (move.reduction !== undefined) requireReducible(move, move.reduction);
  if (move.tables !== undefined) requireTables(move.tables);
  if (move.tables !== undefined && move.reduction !== undefined)
    throw new ArgumentError("tables of a move", "a move that overwrites", "a reduction");
  return move;
}

function requireReducible({ source, target }: Move, reduction: Reduction): void {
  requireReduction(reduction);
  if (!isDenseLayout(source)) throw new ArgumentError("source of a reduction", "a packed stream", "a scattered layout");
  const [wholeBytes, unitBytes] = [wholeBytesOf(reduction), runUnitBytes(target)];
  if (unitBytes % wholeBytes === 0) return;
  throw new ArgumentError(
    "target of a reduction",
    `runs of whole elements of ${wholeBytes} bytes`,
    `runs of ${unitBytes} bytes`,
  );
}

/** Returns the list. Throws an ArgumentError for what is no list of moves, as a backend's methods take it. */
export function requireMoves(moves: readonly Move[]): readonly Move[] {
  if (!(Array.isArray as (value: unknown) => boolean)(moves)) throw new ArgumentError("moves", "a list", quoted(moves));
  for (const move of moves) requireMove(move);
  return moves;
}
