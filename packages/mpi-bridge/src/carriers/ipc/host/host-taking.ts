import { BridgeError } from "../../../errors.js";
import { unpackRange } from "../../../message/place/move-range.js";
import { isThere, type Placed } from "../../../message/place/placed.js";
import { POLLS_A_HEALTH } from "../../framed/offered-send.js";
import { piecesOf, PIECE_BYTES, startOf, type Place, type Segment } from "./segment.js";

/** A message on its way in, out of its sender's segment: each piece is unpacked as it comes. Nothing is answered. */
export class HostTaking {
  readonly kind = "taking";
  readonly answer = undefined;
  readonly #segment: Segment;
  readonly #place: Place;
  readonly #placed: Placed;
  readonly #sizeBytes: number;
  readonly #source: number;
  readonly #pieces: number;
  #taken = 0;
  #polls = 0;

  constructor(segment: Segment, place: Place, placed: Placed, sizeBytes: number, source: number) {
    this.#segment = segment;
    this.#place = place;
    this.#placed = placed;
    this.#sizeBytes = sizeBytes;
    this.#source = source;
    this.#pieces = piecesOf(sizeBytes);
  }

  /** Whether all is unpacked. Throws where it never will be; the sender may use its memory for others then. */
  poll(): boolean {
    try {
      while (this.#taken < this.#pieces && this.#isNextHere()) {
        this.#unpack(this.#taken);
        this.#segment.setTaken(this.#place, ++this.#taken);
      }
    } catch (error) {
      this.leave();
      throw error;
    }
    return this.#taken === this.#pieces;
  }

  /** Nothing more of it is read. */
  leave(): void {
    this.#segment.setTaken(this.#place, this.#pieces);
  }

  #isNextHere(): boolean {
    const packed = this.#segment.packedOf(this.#place);
    if (packed === undefined) throw this.#lost("a sender that gave it up");
    if (packed > this.#taken) return true;
    if (++this.#polls % POLLS_A_HEALTH === 0 && !this.#segment.isWriterAlive) {
      // What was written before the end is there all the same.
      if ((this.#segment.packedOf(this.#place) ?? 0) > this.#taken) return true;
      throw this.#lost("an end of its process");
    }
    return false;
  }

  #unpack(piece: number): void {
    if (!isThere(this.#placed)) throw this.#lost("a buffer that was transferred away");
    const first = piece * PIECE_BYTES;
    const length = Math.min(PIECE_BYTES, this.#sizeBytes - first);
    const [from, at] = [this.#segment.pieces, startOf(this.#place, piece)];
    const { device } = this.#placed;
    if (device === undefined) return unpackRange(this.#placed, first, length, from, at);
    // A GPU reads page-locked memory.
    const pinned = device.pinned.take(length);
    try {
      pinned.bytes.set(from.bytes.subarray(at, at + length));
      unpackRange(this.#placed, first, length, pinned, 0);
    } finally {
      pinned.home.give(pinned);
    }
  }

  #lost(got: string): Error {
    return new BridgeError(`recv from ${this.#source}`, `${this.#sizeBytes} bytes through shared memory`, got);
  }
}
