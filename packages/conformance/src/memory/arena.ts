import { addressSpace, type Buffer, type Span } from "@stowage/backend-api";
import type { Image } from "./image.js";
import type { Interval } from "./intervals.js";
import { pagesOf, runsOf } from "./pages.js";
import { patternBytes, type Pattern } from "./pattern.js";
import type { TestMemory, TestPages } from "./test-memory.js";

export interface ArenaShape {
  /** Canary bytes before and after each interval. */
  readonly padBytes: number;
  /** Power of two that divides the address of the datatype's address 0, 16 at most. */
  readonly alignment: number;
  /** One buffer, or one a region of an address space. */
  readonly asSpace: boolean;
  /** The view of the memory by its name, and where it begins; absent: a plain allocation. */
  readonly view?: ViewPlace;
}

export interface ViewPlace {
  readonly what: string;
  readonly offsetBytes: number;
}

/** Bytes of an arena that lie side by side in one buffer. */
interface Part {
  /** Place of the first byte, from the datatype's address 0. */
  readonly startBytes: number;
  readonly buffer: Buffer;
  /** Where in the buffer it lies. */
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

/** Where an address space puts the datatype's address 0, so that addresses stay positive for lower bounds below 0. */
const ORIGIN_BYTES = 2 ** 51;
/** Allocations are aligned so well, and so are parts where an alignment is promised. */
const PART_ALIGNMENT = 16;
/** Parts are filled as if they lay so far apart, so that parts 2^32 bytes from one another differ. */
const PART_PLACES = 1_000_003;

/**
 * Memory around the bytes that one side of a move may touch. Everything in it that the side does not touch is canary.
 */
export class Arena implements Disposable {
  readonly span: Span;
  readonly #memory: TestMemory;
  readonly #parts: readonly Part[];

  private constructor(memory: TestMemory, parts: readonly Part[], span: Span) {
    this.#memory = memory;
    this.#parts = parts;
    this.span = span;
  }

  /** A buffer around the one interval, or one around each of a few far from one another in an address space. */
  static around(memory: TestMemory, intervals: readonly Interval[], shape: ArenaShape): Arena {
    const parts = intervals.map((interval) => allocated(memory, interval, shape));
    return new Arena(memory, parts, shape.asSpace ? inSpace(parts) : inBuffer(parts[0] as Part));
  }

  /** One buffer of which only those pages may be touched that hold a byte of an interval. */
  static onPages(memory: TestMemory, pages: TestPages, intervals: readonly Interval[], phaseBytes: number): Arena {
    const held = pagesOf(intervals, pages.sizeBytes, phaseBytes);
    const buffer = pages.allocate(held.isMapped);
    const { startBytes } = held;
    const parts = runsOf(held.isMapped).map(({ low, high }) => {
      const [offsetBytes, lengthBytes] = [low * pages.sizeBytes, (high - low) * pages.sizeBytes];
      return { startBytes: startBytes + offsetBytes, buffer, offsetBytes, lengthBytes };
    });
    return new Arena(memory, parts, { memory: buffer, originBytes: -startBytes });
  }

  /** Fills every byte, canaries included. */
  fill(pattern: Pattern): void {
    this.#parts.forEach(({ buffer, offsetBytes, lengthBytes }, part) => {
      this.#memory.write(buffer, offsetBytes, patternBytes(pattern, part * PART_PLACES, lengthBytes));
    });
  }

  /** As fill, by writes that nothing waits for; what the arena then holds. */
  enqueue(pattern: Pattern): Image {
    return this.#parts.map(({ startBytes, buffer, offsetBytes, lengthBytes }, part) => {
      const bytes = patternBytes(pattern, part * PART_PLACES, lengthBytes);
      if (this.#memory.enqueue === undefined) this.#memory.write(buffer, offsetBytes, bytes);
      else this.#memory.enqueue(buffer, offsetBytes, bytes);
      return { startBytes, bytes };
    });
  }

  /** Writes an image of this arena back. */
  restore(image: Image): void {
    image.forEach(({ bytes }, i) => {
      const { buffer, offsetBytes } = this.#parts[i] as Part;
      this.#memory.write(buffer, offsetBytes, bytes);
    });
  }

  /** All its bytes, as they are now. */
  image(): Image {
    return this.#parts.map(({ startBytes, buffer, offsetBytes, lengthBytes }) => ({
      startBytes,
      bytes: this.#memory.read(buffer, offsetBytes, lengthBytes),
    }));
  }

  [Symbol.dispose](): void {
    for (const buffer of new Set(this.#parts.map((part) => part.buffer))) this.#memory.free?.(buffer);
  }
}

function allocated(memory: TestMemory, { low, high }: Interval, shape: ArenaShape): Part {
  const { padBytes, alignment } = shape;
  const padded = low - padBytes;
  const startBytes = alignment === 1 ? padded : Math.floor(padded / PART_ALIGNMENT) * PART_ALIGNMENT;
  const buffer = bufferFor(memory, Math.max(1, high + padBytes - startBytes), shape);
  return { startBytes, buffer, offsetBytes: 0, lengthBytes: buffer.sizeBytes };
}

function bufferFor(memory: TestMemory, sizeBytes: number, { view, alignment }: ArenaShape): Buffer {
  const found = memory.views?.find(({ what }) => what === view?.what);
  if (view === undefined || found === undefined) return memory.allocate(sizeBytes);
  const { offsetBytes } = view;
  return found.allocate(sizeBytes, alignment === 1 ? offsetBytes : offsetBytes - (offsetBytes % PART_ALIGNMENT));
}

const inBuffer = ({ startBytes, buffer }: Part): Span => ({ memory: buffer, originBytes: -startBytes });

function inSpace(parts: readonly Part[]): Span {
  const regions = parts.map(({ startBytes, buffer }) => ({ startBytes: ORIGIN_BYTES + startBytes, buffer }));
  return { memory: addressSpace(regions), originBytes: ORIGIN_BYTES };
}
