import type { BufferLike } from "@stowage/selector";
import { addressOf } from "../../native/words.js";

/** Contiguous memory for packed bytes, of the host or of a device. */
export interface StagingBuffer {
  readonly sizeBytes: number;
  readonly address: number;
  /** As packs and unpacks take it. */
  readonly memory: BufferLike;
  /** What the host sees of it: nothing, of a device's. */
  readonly bytes: Uint8Array;
  /** The bytes as C ints, for tables. */
  readonly ints: Int32Array;
  /** Where it is given back to. */
  readonly home: Staging;
  /** Frees what the driver allocated: the collector knows nothing of it. */
  readonly free?: () => void;
}

const LEAST_BYTES = 4096;
/** What is kept for the next message; the rest goes to the collector. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;

/** Staging buffers by powers of two; those that are given back serve the next message. */
export class Staging implements Disposable {
  readonly #make: (capacityBytes: number, home: Staging) => StagingBuffer;
  readonly #free = new Map<number, StagingBuffer[]>();
  readonly #mostKeptBytes: number;
  #keptBytes = 0;

  constructor(make: (capacityBytes: number, home: Staging) => StagingBuffer, mostKeptBytes = MOST_KEPT_BYTES) {
    this.#make = make;
    this.#mostKeptBytes = mostKeptBytes;
  }

  /** At least `bytes` of memory. */
  take(bytes: number): StagingBuffer {
    const capacity = capacityFor(bytes);
    const kept = this.#free.get(capacity)?.pop();
    if (kept === undefined) return this.#make(capacity, this);
    this.#keptBytes -= capacity;
    return kept;
  }

  /** Whether `take` gives what is kept, and allocates nothing. */
  holds(bytes: number): boolean {
    return (this.#free.get(capacityFor(bytes))?.length ?? 0) > 0;
  }

  give(buffer: StagingBuffer): void {
    const capacity = buffer.sizeBytes;
    if (!this.#hasRoomFor(capacity)) return buffer.free?.();
    this.#keptBytes += capacity;
    const list = this.#free.get(capacity);
    if (list === undefined) this.#free.set(capacity, [buffer]);
    else list.push(buffer);
  }

  /** Lets go of other sizes where need be: this one is what messages take now. */
  #hasRoomFor(capacity: number): boolean {
    const fits = (): boolean => this.#keptBytes + capacity <= this.#mostKeptBytes;
    if (fits()) return true;
    if (capacity > this.#mostKeptBytes) return false;
    for (const [size, list] of this.#free)
      while (size !== capacity && list.length > 0 && !fits()) {
        list.pop()?.free?.();
        this.#keptBytes -= size;
      }
    return fits();
  }

  [Symbol.dispose](): void {
    for (const buffer of [...this.#free.values()].flat()) buffer.free?.();
    this.#free.clear();
    this.#keptBytes = 0;
  }
}

/** The least power of two that holds so many bytes. */
function capacityFor(bytes: number): number {
  if (bytes <= LEAST_BYTES) return LEAST_BYTES;
  if (bytes <= 2 ** 30) return 1 << (32 - Math.clz32(bytes - 1));
  return 2 ** Math.ceil(Math.log2(bytes));
}

/** Pageable memory. */
export function hostStaging(): Staging {
  return new Staging((sizeBytes, home) => {
    const bytes = new Uint8Array(new ArrayBuffer(sizeBytes));
    return { sizeBytes, bytes, ints: new Int32Array(bytes.buffer), address: addressOf(bytes), memory: bytes, home };
  });
}
