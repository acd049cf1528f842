import {
  checkBinding,
  DeviceError,
  DisposedError,
  DONE,
  type Binding,
  type Completion,
  type Conditions,
  type Move,
  type Plan,
  type Queue,
} from "@stowage/backend-api";
import type { Copy, Devices, Stream } from "@stowage/cuda-driver";
import { EventCompletion } from "./completion.js";
import { copiesFor, type MoveCopies } from "./copies.js";
import { onDevice } from "./device-error.js";

/** Bound moves: copies ready to send, in the order of the moves. */
export class DmaPlan implements Plan {
  readonly #devices: Devices;
  readonly #moves: readonly Move[];
  readonly #conditions: Conditions;
  readonly #device: number;
  readonly #completion: EventCompletion;
  readonly #sent: MoveCopies[];
  #copies: readonly Copy[] = [];
  #batched = false;
  #queue: { readonly handle: number; readonly stream: Stream } | undefined;
  #disposed = false;

  /** The bindings have been checked. */
  constructor(devices: Devices, moves: readonly Move[], conditions: Conditions, bindings: readonly Binding[]) {
    this.#devices = devices;
    this.#moves = moves;
    this.#conditions = conditions;
    this.#device = bindings.map(deviceOf).find((device) => device > 0) ?? 0;
    this.#sent = bindings.map((binding, i) => this.#prepare(i, binding));
    this.#gather();
    this.#completion = onDevice(() => new EventCompletion(devices.context(this.#device)));
  }

  /** Throws a DeviceError, before anything is sent, where a batch would go to a capturing stream. */
  run(queue?: Queue): Completion {
    if (this.#disposed) throw new DisposedError("plan");
    if (this.#copies.length === 0) return DONE;
    return onDevice(() => {
      const stream = this.#streamOf(queue);
      if (this.#batched) requireNotCapturing(stream);
      for (const copy of this.#copies) copy.run(stream);
      return this.#completion.follow(stream);
    });
  }

  rebind(i: number, binding: Binding): void {
    if (this.#disposed) throw new DisposedError("plan");
    checkBinding(this.#moves, i, binding, this.#conditions);
    this.#sent[i] = this.#prepare(i, binding);
    this.#gather();
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#completion[Symbol.dispose]();
  }

  #gather(): void {
    this.#copies = this.#sent.flatMap(({ copies }) => copies);
    this.#batched = this.#sent.some(({ batched }) => batched);
  }

  #prepare(i: number, binding: Binding): MoveCopies {
    return onDevice(() =>
      copiesFor(this.#devices.context(this.#device), this.#moves[i] as Move, i, binding, this.#conditions),
    );
  }

  #streamOf(queue: Queue | undefined): Stream {
    if (queue === undefined) return this.#devices.stream(this.#device);
    if (this.#queue?.handle !== queue.handle) {
      const stream = this.#devices.context(this.#device).foreignStream(queue.handle);
      this.#queue = { handle: queue.handle, stream };
    }
    return this.#queue.stream;
  }
}

function requireNotCapturing(stream: Stream): void {
  if (!stream.capturing) return;
  throw new DeviceError(
    "queue of a DMA plan: expected one that is not capturing, got one that is: graphs hold no batches",
  );
}

/** The ordinal of the device whose memory a binding names; 0 where it names none. */
function deviceOf({ source, target }: Binding): number {
  for (const { memory } of [source, target]) {
    const device = "regions" in memory ? memory.regions[0]?.buffer.device : memory.device;
    if (device !== undefined) return device;
  }
  return 0;
}
