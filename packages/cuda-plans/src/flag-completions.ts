import type { Completion } from "@stowage/backend-api";
import { writeWhenDone, type Context, type PinnedMemory, type StreamHandle } from "@stowage/cuda-driver";
import { asDeviceError } from "./device-errors.js";
import type { Marker } from "./marker.js";

const FLAG_BYTES = 4;
/** Between questions to the driver, which alone knows of a lost device. */
const POLLS_A_QUESTION = 4096;

/**
 * The completions of one plan as a number in mapped host memory that says how far a queue is: polling it is a load, not
 * a call of the driver.
 */
export class FlagCompletions implements Marker {
  readonly #context: Context;
  readonly #flag: PinnedMemory;
  readonly #cells: Int32Array;
  #sent = 0;

  /** Allocates the number. Throws a DriverError where pinned memory is short. */
  constructor(context: Context) {
    this.#context = context;
    this.#flag = context.pinnedMemory(FLAG_BYTES);
    const { bytes } = this.#flag;
    this.#cells = new Int32Array(bytes.buffer, bytes.byteOffset, 1);
    this.#cells[0] = 0;
  }

  /** Marks the end of what the queue holds now. Throws a DriverError where the driver fails. */
  record(queue: StreamHandle): Completion {
    this.#sent = (this.#sent + 1) | 0;
    writeWhenDone(this.#context, queue, this.#flag.address, this.#sent >>> 0);
    return new FlagCompletion(this.#context, this.#cells, this.#sent);
  }

  /** Waits until all that was marked is over. */
  wait(): void {
    new FlagCompletion(this.#context, this.#cells, this.#sent).wait();
  }

  /** Gives the pinned memory back; all runs must be over. */
  [Symbol.dispose](): void {
    this.#flag[Symbol.dispose]();
  }
}

class FlagCompletion implements Completion {
  readonly #context: Context;
  readonly #cells: Int32Array;
  readonly #number: number;
  #polls = 0;

  constructor(context: Context, cells: Int32Array, number: number) {
    this.#context = context;
    this.#cells = cells;
    this.#number = number;
  }

  poll(): boolean {
    if (this.#isOver) return true;
    this.#polls++;
    // The driver makes progress, and tells of a lost device, only when it is asked.
    if (this.#polls % POLLS_A_QUESTION === 0) this.#ask();
    return this.#isOver;
  }

  wait(): void {
    for (let i = 0; i < POLLS_A_QUESTION; i++) if (this.#isOver) return;
    while (!this.#isOver) this.#ask();
  }

  /** Numbers run around; the difference tells which came first. */
  get #isOver(): boolean {
    return ((Atomics.load(this.#cells, 0) - this.#number) | 0) >= 0;
  }

  /** Waits for the device, whose work the flag is the end of. */
  #ask(): void {
    try {
      this.#context.synchronize();
    } catch (error) {
      throw asDeviceError(error);
    }
  }
}
