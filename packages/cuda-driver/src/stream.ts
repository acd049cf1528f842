import { requireRecord, type FieldRules } from "@stowage/ir";
import { captureGraph, isCapturing } from "./capture.js";
import { int32, otherInt32, takeWord, word64 } from "./cells.js";
import { check, requireInUse } from "./check.js";
import type { ContextHandle, StreamHandle } from "./context-handle.js";
import type { Event } from "./event.js";
import type { Graph } from "./graph.js";
import { release } from "./release.js";
import { NOT_READY } from "./results.js";

const NON_BLOCKING = 1;

/**
 * An ordered queue of work on one device: one of ours, or one that someone else made. Methods throw a DriverError where
 * the driver refuses the call, and after the stream was disposed of.
 */
export abstract class Stream {
  /** The context that it belongs to. */
  readonly context: ContextHandle;
  readonly #handle: number;
  protected disposed = false;

  /** Names a CUstream; `Context.stream` and `Context.foreignStream` are the usual ways. */
  constructor(context: ContextHandle, handle: number) {
    this.context = context;
    this.#handle = handle;
  }

  /** The CUstream, as a number. */
  get handle(): number {
    requireInUse("stream", this.disposed || this.context.disposed);
    return this.#handle;
  }

  /** The ordinal of the device. */
  get device(): number {
    return this.context.device.ordinal;
  }

  /** Whether all its work is done. Throws a DriverError where some of it failed. */
  query(): boolean {
    const { libcuda } = this.context;
    this.context.enter();
    const result = libcuda.cuStreamQuery(this.handle);
    if (result === NOT_READY) return false;
    check(libcuda, "cuStreamQuery", result);
    return true;
  }

  /** Waits until all its work is done. Throws a DriverError where some of it failed. */
  synchronize(): void {
    const { libcuda } = this.context;
    this.context.enter();
    check(libcuda, "cuStreamSynchronize", libcuda.cuStreamSynchronize(this.handle));
  }

  /** Holds later work of this stream back until the event's record is reached. */
  waitFor(event: Event): void {
    event.holdUp(this);
  }

  /**
   * Writes 32 bits at an address that the device reaches, once all work sent before is done and seen by the whole
   * system: in mapped host memory, a flag that the host reads without a call (CUDA driver API, cuStreamWriteValue32).
   */
  writeWhenDone(address: number, value: number): void {
    writeWhenDone(this.context, this, address, value);
  }

  /** Whether work that is sent now is recorded into a graph instead of run. */
  get capturing(): boolean {
    return isCapturing(this.context, this);
  }

  /**
   * Records what `send` sends to this stream, and runs none of it. Where `send` throws, the capture is given up, and
   * its error is thrown. Throws a DriverError for work that cannot be captured.
   */
  capture(send: () => void): Graph {
    return captureGraph(this.context, this, send);
  }

  /** Ends the use of the stream; a stream that was made here is destroyed. */
  abstract [Symbol.dispose](): void;
}

/** How a stream is made. */
export interface StreamOptions {
  /** Whether the stream waits for the legacy default stream, and that for it. Default: false. */
  readonly blocking?: boolean;
  /**
   * The priority of its kernels. "high": their blocks start before waiting blocks of other streams. Copies heed no
   * priority. Default: "normal".
   */
  readonly priority?: "normal" | "high";
}

const OPTIONS: FieldRules<StreamOptions> = {
  blocking: { expected: "true or false", allows: (value) => value === undefined || typeof value === "boolean" },
  priority: { expected: "normal or high", allows: (value) => [undefined, "normal", "high"].includes(value as string) },
};

/** A stream that was made here, and is destroyed when it is disposed of. */
export class OwnStream extends Stream {
  /** Makes the stream; `Context.stream` is the usual way. */
  constructor(context: ContextHandle, options: StreamOptions = {}) {
    const { blocking = false, priority = "normal" } = requireRecord(options, "options of a stream", OPTIONS);
    const { libcuda } = context;
    const flags = blocking ? 0 : NON_BLOCKING;
    context.enter();
    if (priority === "normal") check(libcuda, "cuStreamCreate", libcuda.cuStreamCreate(word64, flags));
    else {
      const greatest = greatestPriority(context);
      const result = libcuda.cuStreamCreateWithPriority(word64, flags, greatest);
      check(libcuda, "cuStreamCreateWithPriority", result);
    }
    super(context, takeWord());
  }

  /** Destroys the stream. Work that was sent still runs to its end. */
  [Symbol.dispose](): void {
    if (this.disposed) return;
    release(this.context, "cuStreamDestroy", () => this.context.libcuda.cuStreamDestroy_v2(this.handle));
    this.disposed = true;
  }
}

/**
 * Writes 32 bits at an address of mapped memory, behind all work that a stream of the context was given
 * (`Stream.writeWhenDone`).
 */
export function writeWhenDone(context: ContextHandle, { handle }: StreamHandle, address: number, value: number): void {
  const { libcuda } = context;
  context.enter();
  check(libcuda, "cuStreamWriteValue32", libcuda.cuStreamWriteValue32_v2(handle, address, value, 0));
}

/** The number of the greatest priority: the least number. CUDA driver API, cuCtxGetStreamPriorityRange. */
function greatestPriority({ libcuda }: ContextHandle): number {
  check(libcuda, "cuCtxGetStreamPriorityRange", libcuda.cuCtxGetStreamPriorityRange(int32, otherInt32));
  return otherInt32[0] as number;
}

/** A stream that someone else made. Disposing of it leaves the stream to its maker. */
export class ForeignStream extends Stream {
  /** Ends the use of this object; the stream lives on. */
  [Symbol.dispose](): void {
    this.disposed = true;
  }
}
