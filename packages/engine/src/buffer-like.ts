import { BindingError, hostMemory, type Memory, type Span } from "@stowage/backend-api";
import { quoted } from "@stowage/ir";
import { isMemory } from "./is-memory.js";

/**
 * Memory as callers have it: a view, an array buffer, a memory, or a span that says where the datatype's address 0
 * lies. In all but a span that is the first byte, so that a datatype with a negative true lower bound needs a span.
 */
export type BufferLike = ArrayBufferView | ArrayBufferLike | Memory | Span;

/** The span of what a caller gave as `subject`. Throws a BindingError where it is no memory, or is detached. */
export function spanOf(subject: "source" | "target", given: BufferLike): Span {
  if (ArrayBuffer.isView(given)) return { memory: viewed(subject, given), originBytes: 0 };
  if (typeof given !== "object" || given === null) return refuse(subject, quoted(given));
  if ("originBytes" in given) return requireSpan(subject, given);
  if (isMemory(given)) return { memory: given, originBytes: 0 };
  return { memory: viewed(subject, given), originBytes: 0 };
}

/** Whether it has the form of a span; what it holds, bind checks. */
export function requireSpan(subject: "source" | "target", span: Span): Span {
  if (typeof span !== "object" || span === null) throw new BindingError(subject, "a span", quoted(span));
  if (!isMemory(span.memory)) return refuse(`memory of ${subject}`, quoted(span.memory));
  if (typeof span.originBytes === "number") return span;
  throw new BindingError(`origin of ${subject}`, "a number of bytes", quoted(span.originBytes));
}

function viewed(subject: string, given: ArrayBufferView | ArrayBufferLike): Memory {
  try {
    return hostMemory(given);
  } catch (cause) {
    if (!(cause instanceof BindingError)) throw cause;
    return refuse(subject, cause.got, cause);
  }
}

function refuse(subject: string, got: string, cause?: BindingError): never {
  throw new BindingError(subject, "a typed array, an array buffer, a memory or a span of one", got, { cause });
}
