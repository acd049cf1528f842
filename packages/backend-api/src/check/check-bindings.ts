import { quoted } from "@stowage/ir";
import { requireBinding, type Binding } from "../binding.js";
import { requireConditions, type Conditions } from "../conditions.js";
import { BindingError } from "../errors.js";
import { requireMoves, type Move } from "../move.js";
import { refuseShared } from "./check-apart.js";
import { checkRange } from "./check-range.js";
import { checkSpan } from "./check-span.js";
import { sourceSide, targetSide } from "./side.js";
import { checkTables } from "../tables/check-tables.js";
import { TableReadings } from "../tables/table-entries.js";

/**
 * Checks everything that can be wrong with the bindings of a plan, before it moves a byte:
 *
 * - their number, one a move; counts and ranges;
 * - memory kinds; buffers that are gone; alignments that the conditions claim, where an address is known;
 * - that each side's memory holds all that the range reaches; in an address space, that each block lies within one
 *   region;
 * - displacement tables, and the elements that tables of host memory place;
 * - that the bytes that are read and those that are written are apart (checkApart).
 *
 * A dense side needs the bytes of the range alone, and a range of no bytes needs no memory. Throws a BindingError that
 * names the subject, such as `source of move 0`. It takes constant time a move, except where a side's reach takes
 * several regions, or the reaches of both sides meet: then its blocks are walked.
 */
export function checkBindings(moves: readonly Move[], bindings: readonly Binding[], conditions: Conditions): void {
  if (!Array.isArray(bindings)) throw new BindingError("bindings", "a list", quoted(bindings));
  if (bindings.length !== requireMoves(moves).length) {
    throw new BindingError("bindings", `${moves.length}, one a move`, String(bindings.length));
  }
  requireConditions(conditions);
  const readings = new TableReadings();
  bindings.forEach((binding: Binding, i) => checkMove(moves[i] as Move, i, binding, conditions, readings));
}

/**
 * Checks the binding of move `i` alone, as checkBindings does. Throws a BindingError, also where there is no move `i`.
 */
export function checkBinding(moves: readonly Move[], i: number, binding: Binding, conditions: Conditions): void {
  requireConditions(conditions);
  requireBinding(i, binding);
  const move = requireMoves(moves)[i];
  if (move === undefined) throw new BindingError("move to bind", `one of ${moves.length}`, `move ${i}`);
  checkMove(move, i, binding, conditions, new TableReadings());
}

function checkMove(move: Move, i: number, binding: Binding, conditions: Conditions, readings: TableReadings): void {
  requireBinding(i, binding);
  checkRange(i, move, binding, conditions);
  const source = sourceSide(i, move.source, binding.source, conditions);
  const target = targetSide(i, move.target, binding.target, conditions);
  if (move.tables !== undefined || binding.tables !== undefined)
    return checkTables(source, target, move, binding, conditions, readings);
  checkSpan(source, binding);
  checkSpan(target, binding);
  refuseShared(i, move, binding);
}
