import { requireRecord, type FieldRules } from "@stowage/ir";
import { float32, takeWord, word64 } from "./cells.js";
import { check, requireInUse } from "./check.js";
import type { ContextHandle, StreamHandle } from "./context-handle.js";
import { release } from "./release.js";
import { NOT_READY } from "./results.js";

/** How an event is made. */
export interface EventOptions {
  /** Whether the event takes the time. Default: false, which makes recording cheaper. */
  readonly timed?: boolean;
  /** Whether other processes may open the event; excludes timing. Default: false. */
  readonly shared?: boolean;
  /** The handle of another process's event (shareEvent), to open instead of making one. */
  readonly handle?: Uint8Array;
}

const isFlag = (value: unknown): boolean => value === undefined || typeof value === "boolean";
const OPTIONS: FieldRules<EventOptions> = {
  timed: { expected: "true or false", allows: isFlag },
  shared: { expected: "true or false", allows: isFlag },
  handle: { expected: "bytes", allows: (value) => value === undefined || value instanceof Uint8Array },
};

const DISABLE_TIMING = 2;
const INTERPROCESS = 4;

/**
 * A point in a stream's work: it is recorded, then asked for, and never calls back. Methods throw a DriverError where
 * the driver refuses the call, and after the event was disposed of.
 */
export class Event {
  /** The context that it lives in. */
  readonly context: ContextHandle;
  readonly #handle: number;
  #disposed = false;

  /** Makes or opens the event; `Context.event` is the usual way. */
  constructor(context: ContextHandle, options: EventOptions = {}) {
    requireRecord(options, "options of an event", OPTIONS);
    const { libcuda } = context;
    this.context = context;
    context.enter();
    if (options.handle === undefined) {
      const flags = (options.timed === true ? 0 : DISABLE_TIMING) | (options.shared === true ? INTERPROCESS : 0);
      check(libcuda, "cuEventCreate", libcuda.cuEventCreate(word64, flags));
    } else {
      const result = libcuda.cuIpcOpenEventHandle(word64, options.handle);
      check(libcuda, "cuIpcOpenEventHandle", result, "expected a handle of another process's living event");
    }
    this.#handle = takeWord();
  }

  /** The CUevent, as a number. */
  get handle(): number {
    requireInUse("event", this.#disposed || this.context.disposed);
    return this.#handle;
  }

  /** Marks the end of what the stream holds now; a later record replaces this one. */
  record(stream: StreamHandle): void {
    const { libcuda } = this.context;
    this.context.enter();
    check(libcuda, "cuEventRecord", libcuda.cuEventRecord(this.handle, stream.handle));
  }

  /** Holds later work of a stream back until the record is reached. */
  holdUp(stream: StreamHandle): void {
    const { libcuda } = this.context;
    this.context.enter();
    check(libcuda, "cuStreamWaitEvent", libcuda.cuStreamWaitEvent(stream.handle, this.handle, 0));
  }

  /**
   * Whether the work before the record is done; true of an event that was never recorded. Throws a DriverError where
   * that work failed.
   */
  query(): boolean {
    const { libcuda } = this.context;
    const result = libcuda.cuEventQuery(this.handle);
    if (result === NOT_READY) return false;
    check(libcuda, "cuEventQuery", result);
    return true;
  }

  /** Waits until the work before the record is done. Throws a DriverError where it failed. */
  synchronize(): void {
    const { libcuda } = this.context;
    check(libcuda, "cuEventSynchronize", libcuda.cuEventSynchronize(this.handle));
  }

  /**
   * The device's time from the record of `start` to this one, in milliseconds, resolved to about half a microsecond.
   * Both events must be `timed`.
   */
  millisecondsSince(start: Event): number {
    const { libcuda } = this.context;
    check(libcuda, "cuEventElapsedTime", libcuda.cuEventElapsedTime(float32, start.handle, this.handle));
    return float32[0] as number;
  }

  /** Destroys the event; work that was recorded goes on. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    release(this.context, "cuEventDestroy", () => this.context.libcuda.cuEventDestroy_v2(this.#handle));
  }
}
