import { addressOf } from "../native/words.js";

/** Contiguous memory for packed bytes. */
export interface StagingBuffer {
  readonly bytes: Uint8Array;
  /** The same memory, for tables of C ints. */
  readonly ints: Int32Array;
  readonly address: number;
}

const LEAST_BYTES = 4096;
/** What is kept for the next message; the rest goes to the collector. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;

/** Staging buffers by powers of two; those that are given back serve the next message. */
export class Staging {
  readonly #free = new Map<number, StagingBuffer[]>();
  #keptBytes = 0;

  /** At least `bytes` of memory. */
  take(bytes: number): StagingBuffer {
    const capacity = capacityFor(bytes);
    const kept = this.#free.get(capacity)?.pop();
    if (kept === undefined) return newBuffer(capacity);
    this.#keptBytes -= capacity;
    return kept;
  }

  give(buffer: StagingBuffer): void {
    const capacity = buffer.bytes.length;
    if (this.#keptBytes + capacity > MOST_KEPT_BYTES) return;
    this.#keptBytes += capacity;
    const list = this.#free.get(capacity);
    if (list === undefined) this.#free.set(capacity, [buffer]);
    else list.push(buffer);
  }
}

/** The least power of two that holds so many bytes. */
function capacityFor(bytes: number): number {
  if (bytes <= LEAST_BYTES) return LEAST_BYTES;
  if (bytes <= 2 ** 30) return 1 << (32 - Math.clz32(bytes - 1));
  return 2 ** Math.ceil(Math.log2(bytes));
}

function newBuffer(capacity: number): StagingBuffer {
  const bytes = new Uint8Array(new ArrayBuffer(capacity));
  return { bytes, ints: new Int32Array(bytes.buffer), address: addressOf(bytes) };
}
