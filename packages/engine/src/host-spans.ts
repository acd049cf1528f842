import { HostBuffer, type Span } from "@stowage/backend-api";
import { spanOf, type BufferLike } from "./buffer-like.js";

/**
 * The share of unknown views that is remembered. Views that come again and again are soon known all; for one that comes
 * once, an entry would cost the collector more than the call.
 */
const SHARE_REMEMBERED = 1 / 8;

/** Memories of views and array buffers that were given before. */
export type KnownMemories = WeakMap<object, HostBuffer>;

/**
 * The memories of views and array buffers that were given before, so that a call with them allocates nothing. An entry
 * goes with its view. What can change its size is looked at each time; what is found detached is for bind to refuse.
 */
export class HostSpans {
  readonly known: KnownMemories = new WeakMap();

  /** As spanOf. */
  of(subject: "source" | "target", given: BufferLike): Span {
    // A key must be an object; anything else is for spanOf to refuse.
    if (typeof given !== "object" || given === null) return spanOf(subject, given);
    const memory = this.known.get(given);
    return memory === undefined ? this.#added(subject, given) : { memory, originBytes: 0 };
  }

  #added(subject: "source" | "target", given: BufferLike): Span {
    const span = spanOf(subject, given);
    const { memory } = span;
    const isView = ArrayBuffer.isView(given) || "byteLength" in given;
    if (isView && HostBuffer.is(memory) && Math.random() < SHARE_REMEMBERED && !memory.canChangeSize)
      this.known.set(given, memory);
    return span;
  }
}
