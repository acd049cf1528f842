import { copyBytes, type Context, type Copy, type Event, type StreamHandle } from "@stowage/cuda-driver";
import type { DeviceState } from "../device-state.js";
import type { PlanRoom } from "../plan-memory.js";

/**
 * Bytes that launches read from device memory, where they are too many for parameters. What changed is sent when a
 * launch next needs it, in the order of its queue; a launch on another queue than the latest waits for that one.
 */
export class ChangingBlock implements Disposable {
  readonly #room: PlanRoom;
  readonly #copy: Copy;
  readonly #words: DataView;
  /** Recorded behind the latest launch. */
  readonly #latest: Event;
  readonly #send: () => void;
  #latestQueue = -1;
  #pending = true;

  /** `bytes` own their memory, which the driver reads at each upload. */
  constructor(device: DeviceState, bytes: Uint8Array<ArrayBuffer>) {
    const { context, planMemory } = device;
    this.#room = planMemory.room(bytes.byteLength);
    this.#send = () => device.send(this.#room.address, bytes);
    this.#copy = copyOf(context, this.#room.address, bytes);
    this.#words = new DataView(bytes.buffer);
    this.#latest = context.event();
  }

  get address(): number {
    return this.#room.address;
  }

  setWord(offsetBytes: number, value: number): void {
    this.#words.setBigInt64(offsetBytes, BigInt(value), true);
    this.#pending = true;
  }

  /** Before a launch on this queue. */
  ready(queue: StreamHandle): void {
    if (this.#latestQueue !== -1 && this.#latestQueue !== queue.handle) this.#latest.holdUp(queue);
    if (!this.#pending) return;
    this.#copy.run(queue);
    this.#pending = false;
  }

  /** Uploads now what is pending; no launch may be reading it. */
  settle(): void {
    if (this.#latestQueue !== -1) this.#latest.synchronize();
    this.#latestQueue = -1;
    if (this.#pending) this.#send();
    this.#pending = false;
  }

  /** Behind a launch on this queue. */
  wasRead(queue: StreamHandle): void {
    this.#latest.record(queue);
    this.#latestQueue = queue.handle;
  }

  /** Nothing may read it any longer. */
  [Symbol.dispose](): void {
    this.#room.release();
    this.#latest[Symbol.dispose]();
  }
}

/** The copy lives with its bytes: `run` must see them where they are. */
function copyOf(context: Context, address: number, bytes: Uint8Array<ArrayBuffer>): Copy {
  return copyBytes(context, address, context.libcuda.addressOf(bytes), bytes.byteLength);
}
