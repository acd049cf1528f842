import type { Context, DeviceMemory, Event, PinnedMemory, StreamHandle } from "@stowage/cuda-driver";

export type StagingKind = "device" | "pinned";

/**
 * A buffer that bytes pass through, with the events of its two uses: filled, then drained. Who takes it waits, on the
 * device, until it was drained.
 */
export class StagingBuffer implements Disposable {
  readonly kind: StagingKind;
  readonly memory: DeviceMemory | PinnedMemory;
  readonly #filled: Event;
  readonly #drained: Event;
  #used = false;

  /** Throws a DriverError where memory is short. */
  constructor(context: Context, kind: StagingKind, sizeBytes: number) {
    this.kind = kind;
    this.memory = kind === "device" ? context.deviceMemory(sizeBytes) : context.pinnedMemory(sizeBytes);
    this.#filled = context.event();
    this.#drained = context.event();
  }

  get sizeBytes(): number {
    return this.memory.sizeBytes;
  }

  get address(): number {
    return this.memory.address;
  }

  /** The bytes of pinned memory. */
  get bytes(): Uint8Array {
    if (this.memory.kind === "pinned") return this.memory.bytes;
    throw new TypeError("bytes of a staging buffer: expected pinned memory, got device memory");
  }

  /** Holds up a stream until the last user is done with it. */
  awaitDrained(stream: StreamHandle): void {
    if (this.#used) this.#drained.holdUp(stream);
  }

  /** Returns when the last user is done with it. */
  settle(): void {
    if (this.#used) this.#drained.synchronize();
    this.#used = false;
  }

  /** Its uses are known to be over, or to be those of a graph that alone has it. */
  forgetUses(): void {
    this.#used = false;
  }

  filledIn(stream: StreamHandle): void {
    this.#filled.record(stream);
  }

  awaitFilled(stream: StreamHandle): void {
    this.#filled.holdUp(stream);
  }

  /** Returns when it was filled. */
  settleFilled(): void {
    this.#filled.synchronize();
  }

  drainedIn(stream: StreamHandle): void {
    this.#drained.record(stream);
    this.#used = true;
  }

  /** The driver waits for work on the memory before it frees it. */
  [Symbol.dispose](): void {
    for (const held of [this.#filled, this.#drained, this.memory]) held[Symbol.dispose]();
  }
}
