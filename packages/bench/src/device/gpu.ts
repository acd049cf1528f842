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

/** The most bytes that pass through pinned memory at a time on their way to or from a device: 4 MiB. */
export const PIECE_BYTES = 2 ** 22;

const WARM_UP_BYTES = 2 ** 26;
const WARM_UP_MS = 300;

/**
 * The GPU that a bench runs on: its context, one stream for all work, and calls that look into its memory. Its methods
 * throw a DriverError where the driver fails.
 */
export class Gpu implements Disposable {
  /** The driver, real or simulated. */
  readonly driver: Driver;
  /** The device's context; disposed of with this object. */
  readonly context: Context;
  /** The stream that all work goes to. */
  readonly stream: OwnStream;
  readonly #staging: PinnedMemory;

  /** Opens device number `ordinal`. Throws a DriverError where there is no such device. */
  constructor(driver: Driver, ordinal = 0) {
    this.driver = driver;
    this.context = driver.context(ordinal);
    this.stream = this.context.stream();
    this.#staging = this.context.pinnedMemory(PIECE_BYTES);
  }

  /** The GPU's name and the driver's versions, as result files have them. */
  get machine(): Pick<Machine, "gpu" | "driver"> {
    const { simulated } = this.driver;
    return { gpu: simulated ? "simulated" : this.context.device.name, driver: driverText(this.driver) };
  }

  /** Writes bytes to the start of memory, and waits. */
  write(memory: DriverMemory, bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const piece = bytes.subarray(start, start + PIECE_BYTES);
      this.#staging.bytes.set(piece);
      this.copy(memory.address + start, this.#staging.address, piece.length);
    }
  }

  /**
   * Reads `lengthBytes` bytes of memory from byte `start` on, PIECE_BYTES at most. The view is overwritten by the next
   * read or write.
   */
  read(memory: DriverMemory, start: number, lengthBytes: number): Uint8Array {
    this.copy(this.#staging.address, memory.address + start, lengthBytes);
    return this.#staging.bytes.subarray(0, lengthBytes);
  }

  /** Copies bytes from the address `source` to the address `target`, and waits. */
  copy(target: number, source: number, sizeBytes: number): void {
    copyBytes(this.context, target, source, sizeBytes).run(this.stream);
    this.stream.synchronize();
  }

  /** Sets all bytes of memory to a value from 0 to 255, and waits. */
  fill(memory: DriverMemory, value: number): void {
    memory.fill(value, this.stream);
    this.stream.synchronize();
  }

  /** Keeps a real device busy for 300 ms: an idle GPU has clocked down, and its first calls are slow. */
  warmUp(): void {
    if (this.driver.simulated) return;
    using memory = this.context.deviceMemory(WARM_UP_BYTES);
    const end = performance.now() + WARM_UP_MS;
    while (performance.now() < end) this.fill(memory, 0);
  }

  /** Gives back the pinned memory, the stream and the context. */
  [Symbol.dispose](): void {
    this.#staging[Symbol.dispose]();
    this.stream[Symbol.dispose]();
    this.context[Symbol.dispose]();
  }
}
