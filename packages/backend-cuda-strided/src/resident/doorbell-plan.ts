import {
  DeviceError,
  DisposedError,
  DONE,
  type Binding,
  type Completion,
  type Plan,
  type Queue,
} from "@stowage/backend-api";
import { ForeignStream, isCapturing, type Context } from "@stowage/cuda-driver";
import { asDeviceError, Completions, isLegacy, LEGACY_STREAM, requireOwnQueue } from "@stowage/cuda-plans";
import type { ResidentPack } from "./resident-pack.js";

/** What a plan has of its kernel. */
export interface DoorbellParts {
  readonly context: Context;
  /** Moves what a bell cannot: ranges of no byte, and buffers in several regions. */
  readonly launched: Plan;
  /** Whether a binding is none of those. */
  readonly rings: (binding: Binding) => boolean;
  readonly residentFor: (binding: Binding) => ResidentPack;
}

/**
 * Rings a kernel that waits on the device. A bell is in no stream's order, so a run first waits for what its queue
 * holds, and it is over when it returns: what is sent to the queue afterwards finds the bytes there.
 */
export class DoorbellPlan implements Plan {
  readonly #parts: DoorbellParts;
  readonly #legacy: Completions;
  #resident: ResidentPack | undefined;
  #disposed = false;

  constructor(parts: DoorbellParts, binding: Binding) {
    this.#parts = parts;
    this.#legacy = new Completions(parts.context);
    this.#resident = parts.rings(binding) ? parts.residentFor(binding) : undefined;
  }

  run(queue?: Queue): Completion {
    if (this.#disposed) throw new DisposedError("plan");
    if (this.#resident === undefined) return this.#parts.launched.run(queue);
    if (queue !== undefined) requireOwnQueue(this.#parts.context, queue);
    try {
      this.#waitFor(queue);
      this.#resident.ring().wait();
    } catch (error) {
      throw asDeviceError(error);
    }
    return DONE;
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan");
    this.#parts.launched.rebind(i, binding);
    if (this.#resident !== undefined && this.#parts.rings(binding)) return this.#resident.rebind(binding);
    this.#resident?.[Symbol.dispose]();
    this.#resident = this.#parts.rings(binding) ? this.#parts.residentFor(binding) : undefined;
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#resident?.[Symbol.dispose]();
    this.#legacy[Symbol.dispose]();
    this.#parts.launched[Symbol.dispose]();
  }

  #waitFor(queue: Queue | undefined): void {
    const { context } = this.#parts;
    if (queue === undefined || isLegacy(queue)) return this.#legacy.record(LEGACY_STREAM).wait();
    if (isCapturing(context, queue))
      throw new DeviceError(
        "queue of a doorbell: expected one that is not capturing, got one that is: bells are in no graph",
      );
    new ForeignStream(context, queue.handle).synchronize();
  }
}
