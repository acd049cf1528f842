import {
  copyBytes,
  type Context,
  type Driver,
  type DriverMemory,
  type OwnStream,
  type PinnedMemory,
} from "@stowage/cuda-driver";
import type { Machine } from "../results/row.js";
import { driverText } from "./driver-text.js";

/** What passes through pinned memory at a time on its way to or from a device. */
export const PIECE_BYTES = 2 ** 22;

const WARM_UP_BYTES = 2 ** 26;
const WARM_UP_MS = 300;

/** The GPU that a bench runs on: its context, one stream for all work, and ways to look into its memory. */
export class Gpu implements Disposable {
  readonly driver: Driver;
  readonly context: Context;
  readonly stream: OwnStream;
  readonly #staging: PinnedMemory;

  /** Throws a DriverError where there is no such device. */
  constructor(driver: Driver, ordinal = 0) {
    this.driver = driver;
    this.context = driver.context(ordinal);
    this.stream = this.context.stream();
    this.#staging = this.context.pinnedMemory(PIECE_BYTES);
  }

  /** What result files say of it. */
  get machine(): Pick<Machine, "gpu" | "driver"> {
    const { simulated } = this.driver;
    return { gpu: simulated ? "simulated" : this.context.device.name, driver: driverText(this.driver) };
  }

  /** Writes bytes to the start of memory. */
  write(memory: DriverMemory, bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const piece = bytes.subarray(start, start + PIECE_BYTES);
      this.#staging.bytes.set(piece);
      this.copy(memory.address + start, this.#staging.address, piece.length);
    }
  }

  /** Bytes of memory, PIECE_BYTES at most; to be looked at before the next read. */
  read(memory: DriverMemory, start: number, lengthBytes: number): Uint8Array {
    this.copy(this.#staging.address, memory.address + start, lengthBytes);
    return this.#staging.bytes.subarray(0, lengthBytes);
  }

  /** Copies bytes from address to address, and waits. */
  copy(target: number, source: number, sizeBytes: number): void {
    copyBytes(this.context, target, source, sizeBytes).run(this.stream);
    this.stream.synchronize();
  }

  /** Sets all bytes of memory, and waits. */
  fill(memory: DriverMemory, value: number): void {
    memory.fill(value, this.stream);
    this.stream.synchronize();
  }

  /** Works for a while where the device takes time: an idle GPU has clocked down, and its first calls are slow. */
  warmUp(): void {
    if (this.driver.simulated) return;
    using memory = this.context.deviceMemory(WARM_UP_BYTES);
    const end = performance.now() + WARM_UP_MS;
    while (performance.now() < end) this.fill(memory, 0);
  }

  [Symbol.dispose](): void {
    this.#staging[Symbol.dispose]();
    this.stream[Symbol.dispose]();
    this.context[Symbol.dispose]();
  }
}
