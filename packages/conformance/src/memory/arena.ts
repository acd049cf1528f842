import { addressSpace, type Buffer, type Span } from "@stowage/backend-api";
import type { Image } from "./image.js";
import type { Interval } from "./intervals.js";
import { patternBytes, type Pattern } from "./pattern.js";
import type { TestMemory } from "./test-memory.js";

export interface ArenaShape {
  /** Canary bytes before and after each interval. */
  readonly padBytes: number;
  /** Power of two that divides the address of the datatype's address 0, 16 at most. */
  readonly alignment: number;
  /** One buffer, or one a region of an address space. */
  readonly asSpace: boolean;
}

interface Part {
  /** Place of the buffer's first byte, from the datatype's address 0. */
  readonly startBytes: number;
  readonly buffer: Buffer;
}

/** Where an address space puts the datatype's address 0, so that addresses stay positive for lower bounds below 0. */
const ORIGIN_BYTES = 2 ** 51;
/** Allocations are aligned so well, and so are parts where an alignment is promised. */
const PART_ALIGNMENT = 16;
/** Parts are filled as if they lay so far apart, so that parts 2^32 bytes from one another differ. */
const PART_PLACES = 1_000_003;

/**
 * Memory around the bytes that one side of a move may touch: a buffer, or a few far from one another in an address
 * space. Everything around those bytes is canary.
 */
export class Arena implements Disposable {
  readonly span: Span;
  readonly #memory: TestMemory;
  readonly #parts: readonly Part[];

  constructor(memory: TestMemory, intervals: readonly Interval[], shape: ArenaShape) {
    this.#memory = memory;
    this.#parts = intervals.map((interval) => this.#allocate(interval, shape));
    this.span = shape.asSpace ? this.#inSpace() : this.#inBuffer();
  }

  /** Fills every byte, canaries included. */
  fill(pattern: Pattern): void {
    this.#parts.forEach(({ buffer }, part) => {
      this.#memory.write(buffer, 0, patternBytes(pattern, part * PART_PLACES, buffer.sizeBytes));
    });
  }

  /** As fill, by writes that nothing waits for; what the arena then holds. */
  enqueue(pattern: Pattern): Image {
    return this.#parts.map(({ startBytes, buffer }, part) => {
      const bytes = patternBytes(pattern, part * PART_PLACES, buffer.sizeBytes);
      if (this.#memory.enqueue === undefined) this.#memory.write(buffer, 0, bytes);
      else this.#memory.enqueue(buffer, 0, bytes);
      return { startBytes, bytes };
    });
  }

  /** Writes an image of this arena back. */
  restore(image: Image): void {
    image.forEach(({ bytes }, i) => this.#memory.write((this.#parts[i] as Part).buffer, 0, bytes));
  }

  /** All its bytes, as they are now. */
  image(): Image {
    return this.#parts.map(({ startBytes, buffer }) => ({
      startBytes,
      bytes: this.#memory.read(buffer, 0, buffer.sizeBytes),
    }));
  }

  [Symbol.dispose](): void {
    for (const { buffer } of this.#parts) this.#memory.free?.(buffer);
  }

  #allocate({ low, high }: Interval, { padBytes, alignment }: ArenaShape): Part {
    const padded = low - padBytes;
    const startBytes = alignment === 1 ? padded : Math.floor(padded / PART_ALIGNMENT) * PART_ALIGNMENT;
    return { startBytes, buffer: this.#memory.allocate(Math.max(1, high + padBytes - startBytes)) };
  }

  #inBuffer(): Span {
    const { startBytes, buffer } = this.#parts[0] as Part;
    return { memory: buffer, originBytes: -startBytes };
  }

  #inSpace(): Span {
    const regions = this.#parts.map(({ startBytes, buffer }) => ({ startBytes: ORIGIN_BYTES + startBytes, buffer }));
    return { memory: addressSpace(regions), originBytes: ORIGIN_BYTES };
  }
}
