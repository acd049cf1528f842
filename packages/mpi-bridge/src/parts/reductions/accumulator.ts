import type { StagingBuffer } from "../../message/place/staging.js";
import type { ElementStream } from "./element-stream.js";
import { DEPTH, SEGMENT_BYTES, type StreamPart } from "./parts-of-stream.js";

/** Where what arrives is combined, segment by segment of the packed stream. */
export interface Accumulator {
  /** What this rank puts in is there. */
  begin(segment: StreamPart, index: number): void;
  combine(segment: StreamPart, arrived: StagingBuffer): void;
  /** The result is among the elements, where this rank has them; packed too, where others read it. */
  end(segment: StreamPart, isRead: boolean): StagingBuffer | undefined;
}

/** Memory for packed elements, and what combines so many bytes of them into others. */
export interface PackedMemory {
  readonly take: (bytes: number) => StagingBuffer;
  readonly combine: (from: StagingBuffer, into: StagingBuffer, length: number) => void;
}

/** Packed bytes, so that each element is combined side by side with its neighbours, and scattered once. */
export class PackedAccumulator implements Accumulator {
  readonly #input: ElementStream;
  readonly #result: ElementStream | undefined;
  readonly #packed: PackedMemory;
  readonly #buffers: StagingBuffer[] = [];
  readonly #kept: number;
  #now: StagingBuffer | undefined;

  /** `kept`: segments whose memory is not used again until so many later ones. */
  constructor(input: ElementStream, result: ElementStream | undefined, packed: PackedMemory, kept: number = DEPTH) {
    this.#input = input;
    this.#result = result;
    this.#packed = packed;
    this.#kept = kept;
  }

  begin(segment: StreamPart, index: number): void {
    this.#now = this.#buffers[index % this.#kept] ??= this.#packed.take(SEGMENT_BYTES);
    this.#input.pack(segment, this.#now);
  }

  combine(segment: StreamPart, arrived: StagingBuffer): void {
    this.#packed.combine(arrived, this.#now as StagingBuffer, segment.length);
  }

  end(segment: StreamPart): StagingBuffer {
    const packed = this.#now as StagingBuffer;
    this.#result?.put(segment, packed);
    return packed;
  }

  /** Puts segments that were all kept. */
  putAll(segments: readonly StreamPart[], result: ElementStream): void {
    for (const [i, segment] of segments.entries()) result.put(segment, this.#buffers[i] as StagingBuffer);
  }
}

/** The elements themselves, where they hold what this rank puts in: nothing is packed but what others read. */
export class ElementAccumulator implements Accumulator {
  readonly #elements: ElementStream;
  readonly #take: (bytes: number) => StagingBuffer;
  readonly #buffers: StagingBuffer[] = [];
  #index = 0;

  constructor(elements: ElementStream, { take }: PackedMemory) {
    this.#elements = elements;
    this.#take = take;
  }

  begin(_: StreamPart, index: number): void {
    this.#index = index;
  }

  combine(segment: StreamPart, arrived: StagingBuffer): void {
    this.#elements.combine(segment, arrived);
  }

  end(segment: StreamPart, isRead: boolean): StagingBuffer | undefined {
    if (!isRead) return undefined;
    const packed = (this.#buffers[this.#index % DEPTH] ??= this.#take(SEGMENT_BYTES));
    this.#elements.pack(segment, packed);
    return packed;
  }
}
