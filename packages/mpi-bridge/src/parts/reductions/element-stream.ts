import type { Reduction } from "@stowage/backend-api";
import { unpack } from "../../message/place/pack.js";
import type { Placed } from "../../message/place/placed.js";
import type { StagingBuffer } from "../../message/place/staging.js";
import { packRange, spanOf, unpackRange } from "../../message/place/move-range.js";
import type { StreamPart } from "./parts-of-stream.js";

/** Elements as the packed stream that they make, `startBytes` into that of all ranks. */
export class ElementStream {
  readonly #placed: Placed;
  readonly #reduction: Reduction;
  readonly #startBytes: number;

  constructor(placed: Placed, reduction: Reduction, startBytes = 0) {
    this.#placed = placed;
    this.#reduction = reduction;
    this.#startBytes = startBytes;
  }

  /** Packs a part, to where memory begins. */
  pack({ first, length }: StreamPart, into: StagingBuffer): void {
    packRange(this.#placed, first - this.#startBytes, length, into, 0);
  }

  /** Unpacks a part from there. */
  put({ first, length }: StreamPart, from: StagingBuffer): void {
    unpackRange(this.#placed, first - this.#startBytes, length, from, 0);
  }

  /** Unpacks it and combines it with what is there. */
  combine({ first, length }: StreamPart, from: StagingBuffer): void {
    const { type, buffer, originBytes, count } = this.#placed;
    const start = first - this.#startBytes;
    const range = { count, first: start, length, ...this.#reduction };
    unpack(type, spanOf(from, -start), { memory: buffer, originBytes }, range).wait();
  }
}
