import { BindingError, hostMemory, type Memory, type Span } from "@stowage/backend-api";
import { quoted } from "@stowage/ir";

/** Memory as callers have it: a view, an array buffer, a memory, or a span that says where the datatype's address 0 lies. */
export type BufferLike = ArrayBufferView | ArrayBufferLike | Memory | Span;

/** The span of what a caller gave as `subject`. Throws a BindingError where it is no memory, or is detached. */
export function spanOf(subject: "source" | "target", given: BufferLike): Span {
  if (ArrayBuffer.isView(given)) return { memory: viewed(subject, given), originBytes: 0 };
  if (typeof given !== "object" || given === null) return refuse(subject, quoted(given));
  if ("originBytes" in given)
    return isMemory(given.memory) ? given : refuse(`memory of ${subject}`, quoted(given.memory));
  if (isMemory(given)) return { memory: given, originBytes: 0 };
  return { memory: viewed(subject, given), originBytes: 0 };
}

/** A memory by its form: its kind, and bytes that are a view or regions that are a list. */
function isMemory(given: unknown): given is Memory {
  if (typeof given !== "object" || given === null || !("kind" in given)) return false;
  if ("regions" in given) return Array.isArray(given.regions);
  return "sizeBytes" in given && (!("bytes" in given) || given.bytes === undefined || ArrayBuffer.isView(given.bytes));
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
