import { SimulationError } from "./errors.js";

const NOBODY = -1;
const SEVERAL = -2;

/**
 * Finds shared bytes that two warps touch between the same two barriers, one of them writing: what runs here in
 * one order, a GPU runs in any.
 */
export class RaceCheck {
  readonly #writers: Int32Array;
  readonly #readers: Int32Array;
  #epoch = NOBODY;

  constructor(sharedBytes: number) {
    this.#writers = new Int32Array(sharedBytes);
    this.#readers = new Int32Array(sharedBytes);
  }

  access(epoch: number, offsetBytes: number, lengthBytes: number, warp: number, writes: boolean): void {
    if (epoch !== this.#epoch) {
      this.#writers.fill(NOBODY);
      this.#readers.fill(NOBODY);
      this.#epoch = epoch;
    }
    for (let i = offsetBytes; i < offsetBytes + lengthBytes; i++) {
      const writer = this.#writers[i] as number;
      const reader = this.#readers[i] as number;
      if ((writer !== NOBODY && writer !== warp) || (writes && reader !== NOBODY && reader !== warp)) {
        throw new SimulationError(
          `shared byte ${i}: expected a barrier between warps, got warp ${warp} racing another`,
        );
      }
      if (writes) this.#writers[i] = warp;
      else this.#readers[i] = reader === NOBODY || reader === warp ? warp : SEVERAL;
    }
  }
}
