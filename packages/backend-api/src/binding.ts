import { quoted } from "@stowage/ir";
import { BindingError } from "./errors.js";
import { isMemory, requireMemory, type Memory } from "./memory.js";

/**
 * A place in memory: where the datatype's address 0 lies. Lower bounds may be negative, and so may the origin.
 *
 * @example
 * ```ts
 * // The packed stream is to begin at byte 100 of the buffer.
 * const target: Span = { memory: hostMemory(new Uint8Array(400)), originBytes: 100 };
 * ```
 */
export interface Span {
  /** One buffer, or an address space of several. */
  readonly memory: Memory;
  /**
   * Bytes from the start of the memory to the datatype's address 0. It may lie outside, as long as the bytes that move
   * lie inside.
   */
  readonly originBytes: number;
}

/**
 * Where the displacement tables of a binding lie, for the sides whose move names a table. Entry 0 of a table lies at
 * the span's origin, which must be aligned to an entry's width (`TABLE_ENTRY_BYTES`); there is an entry for each of the
 * binding's `count` elements.
 */
export interface BoundTables {
  /** The table of the source's elements. */
  readonly source?: Span;
  /** The table of the target's elements. */
  readonly target?: Span;
  /**
   * Where a u32, little-endian, lies that says how many of the binding's `count` elements move; all of them where it is
   * more. A device's work reads it when it runs, if it lies in device memory; from host memory it is read when the work
   * is sent. It requires a range that is the whole packed stream.
   */
  readonly count?: Span;
}

/**
 * What one move of a plan works on: `count` elements, and of their packed stream the range [first, first + length). A
 * packed side is a layout like any other: its origin is where byte 0 of the whole packed stream lies, so a fragment
 * buffer that holds only the range has the origin -first.
 *
 * @example
 * ```ts
 * // Bytes 64 to 127 of the packed stream of 10 elements, to a fragment buffer that holds those alone.
 * const binding: Binding = {
 *   source: { memory: hostMemory(matrix), originBytes: 0 },
 *   target: { memory: hostMemory(new Uint8Array(64)), originBytes: -64 },
 *   count: 10,
 *   first: 64,
 *   length: 64,
 * };
 * ```
 */
export interface Binding {
  /** Where the bytes are read. */
  readonly source: Span;
  /** Where the bytes are written. No byte of it may be one that is read (checkApart). */
  readonly target: Span;
  /** How many elements the packed stream has, from 0. */
  readonly count: number;
  /** The first byte of the range, from 0. In a move that reduces it is a multiple of an element's bytes. */
  readonly first: number;
  /**
   * The bytes of the range. `first + length` is at most `count` times the size of an element; in a move that reduces,
   * `length` is a multiple of an element's bytes.
   */
  readonly length: number;
  /**
   * The displacement tables that the move names; absent where it names none. Those of host memory are read when the
   * binding is bound.
   */
  readonly tables?: BoundTables;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Throws a StowageError where plain JavaScript handed over something without the two sides of a binding. */
export function requireBinding(i: number, binding: Binding): Binding {
  if (typeof i !== "number") throw new BindingError("move to bind", "its index", quoted(i));
  if (!isObject(binding)) throw new BindingError(`binding of move ${i}`, "an object", quoted(binding));
  // Words are made for what is wrong alone: applications bind at every call.
  if (!isSpan(binding.source)) requireSpan(binding.source, `source of move ${i}`);
  if (!isSpan(binding.target)) requireSpan(binding.target, `target of move ${i}`);
  if (binding.tables !== undefined) requireBoundTables(i, binding.tables);
  return binding;
}

/** Whether requireSpan would accept it. */
const isSpan = (span: Span): boolean =>
  isObject(span) && isObject(span.memory) && isMemory(span.memory) && typeof span.originBytes === "number";

/** Refuses a side that is no memory with an origin in it. */
export function requireSpan(span: Span, subject = "span"): Span {
  if (!isObject(span) || !isObject(span.memory))
    throw new BindingError(subject, "memory and an origin in it", quoted(span));
  requireMemory(span.memory, `memory of the ${subject}`);
  if (typeof span.originBytes !== "number")
    throw new BindingError(subject, "an origin that is a safe integer", quoted(span.originBytes));
  return span;
}

function requireBoundTables(i: number, tables: BoundTables): void {
  if (!isObject(tables)) throw new BindingError(`tables of move ${i}`, "{ source, target, count }", quoted(tables));
  for (const name of ["source", "target", "count"] as const) {
    const span = tables[name];
    if (span !== undefined && !isSpan(span)) requireSpan(span, `${name} table of move ${i}`);
  }
}
