import type { StagingBuffer } from "../buffer/staging.js";
import type { ElementStream } from "./element-stream.js";
import type { StreamPart } from "./parts-of-stream.js";

/** Where what arrives is combined, segment by segment of the packed stream. */
export interface Accumulator {
  /** What this rank puts in is there. */
  begin(segment: StreamPart): void;
  combine(segment: StreamPart, arrived: StagingBuffer): void;
  /** The result is among the elements, where this rank has them; packed too, where others read it. */
  end(segment: StreamPart, isRead: boolean): StagingBuffer | undefined;
}

/** Packed bytes, so that each element is combined side by side with its neighbours, and scattered once. */
export class PackedAccumulator implements Accumulator {
  readonly #input: ElementStream;
  readonly #result: ElementStream | undefined;
  readonly #take: (bytes: number) => StagingBuffer;
  readonly #combine: CombinePacked;
  readonly #begun = new Map<StreamPart, StagingBuffer>();

  constructor(input: ElementStream, result: ElementStream | undefined, packed: PackedMemory) {
    this.#input = input;
    this.#result = result;
    this.#take = packed.take;
    this.#combine = packed.combine;
  }

  begin(segment: StreamPart): void {
    if (this.#begun.has(segment)) return;
    const packed = this.#take(segment.length);
    this.#input.pack(segment, packed);
    this.#begun.set(segment, packed);
  }

  combine(segment: StreamPart, arrived: StagingBuffer): void {
    this.#combine(arrived, this.#of(segment), segment.length);
  }

  end(segment: StreamPart): StagingBuffer {
    const packed = this.#of(segment);
    this.#result?.put(segment, packed);
    return packed;
  }

  #of(segment: StreamPart): StagingBuffer {
    return this.#begun.get(segment) as StagingBuffer;
  }
}

/** The elements themselves, where they hold what this rank puts in: nothing is packed but what others read. */
export class ElementAccumulator implements Accumulator {
  readonly #elements: ElementStream;
  readonly #take: (bytes: number) => StagingBuffer;

  constructor(elements: ElementStream, { take }: PackedMemory) {
    this.#elements = elements;
    this.#take = take;
  }

  begin(): void {
    // they are there
  }

  combine(segment: StreamPart, arrived: StagingBuffer): void {
    this.#elements.combine(segment, arrived);
  }

  end(segment: StreamPart, isRead: boolean): StagingBuffer | undefined {
    if (!isRead) return undefined;
    const packed = this.#take(segment.length);
    this.#elements.pack(segment, packed);
    return packed;
  }
}

/** Combines so many packed bytes into others. */
export type CombinePacked = (from: StagingBuffer, into: StagingBuffer, length: number) => void;

export interface PackedMemory {
  readonly take: (bytes: number) => StagingBuffer;
  readonly combine: CombinePacked;
}
