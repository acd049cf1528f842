import { quoted, type PackedRange } from "@stowage/ir";
import type { Conditions } from "../conditions.js";
import { BindingError } from "../errors.js";
import type { Move } from "../move.js";
import { wholeBytesOf } from "../reduce/reduction.js";

/** The count and the packed range of move i, against its sizes and the count that was declared. */
export function checkRange(i: number, move: Move, range: PackedRange, conditions: Pick<Conditions, "count">): void {
  const { count, first, length } = range;
  const { source, target } = move;
  if (target.sizeBytes !== source.sizeBytes) {
    const expected = `${source.sizeBytes} bytes an element, as its source`;
    throw new BindingError(`target of move ${i}`, expected, String(target.sizeBytes));
  }
  requireNatural("count", i, count);
  requireNatural("first byte", i, first);
  requireNatural("length", i, length);
  if (conditions.count !== "any" && count !== conditions.count) {
    throw new BindingError(`count of move ${i}`, `${conditions.count}, as compiled for`, String(count));
  }
  // A product beyond 2^53 is rounded, but never to below a safe integer; a sum beyond is refused as unsafe.
  const end = first + length;
  if (end > count * source.sizeBytes || !Number.isSafeInteger(end)) {
    throw new BindingError(`range of move ${i}`, `an end within ${count} x ${source.sizeBytes} bytes`, String(end));
  }
  const wholeBytes = wholeBytesOf(move.reduction);
  requireWhole("first byte", i, first, wholeBytes);
  requireWhole("length", i, length, wholeBytes);
}

function requireWhole(what: string, i: number, value: number, wholeBytes: number): void {
  if (value % wholeBytes === 0) return;
  throw new BindingError(`${what} of move ${i}`, `a multiple of an element's ${wholeBytes} bytes`, String(value));
}

function requireNatural(what: string, i: number, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new BindingError(`${what} of move ${i}`, "an integer from 0 to 2^53 - 1", quoted(value));
  }
}
