import { quoted } from "@stowage/ir";
import { BindingError } from "./errors.js";
import { isMemory, requireMemory, type Memory } from "./memory.js";

/** A place in memory: where the datatype's address 0 lies. Lower bounds may be negative, and so may the origin. */
export interface Span {
  readonly memory: Memory;
  readonly originBytes: number;
}

/** Where the displacement tables of a binding lie, entry 0 at each origin, for the sides whose move names a table. */
export interface BoundTables {
  readonly source?: Span;
  readonly target?: Span;
  /**
   * A u32 that is read when the work runs (of host memory, by a device's work, when it is sent): so many of the
   * binding's `count` elements move, all where it is more. Only with a range that is the whole packed stream.
   */
  readonly count?: Span;
}

/**
 * What one move of a plan works on: `count` elements, and of their packed stream the range [first, first + length).
 * A packed side is a layout like any other: its origin is where byte 0 of the whole packed stream lies, so a
 * fragment buffer that holds only the range has the origin -first.
 */
export interface Binding {
  readonly source: Span;
  readonly target: Span;
  readonly count: number;
  readonly first: number;
  readonly length: number;
  /** The tables that the move names; none otherwise. Those of host memory are read when the binding is bound. */
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
