import { BridgeError } from "../../../errors.js";
import { packRange } from "../../../message/place/move-range.js";
import { isThere } from "../../../message/place/placed.js";
import { Status } from "../../../message/requests/status.js";
import type { Addressed, Sending } from "../../carrier.js";
import type { Fragment } from "../../framed/fragment.js";
import { FRAME_BYTES, writeFrame } from "../../framed/frame.js";
import { POLLS_A_HEALTH } from "../../framed/offered-send.js";
import type { Wire } from "../../framed/wire.js";
import type { Arena, Held } from "./arena.js";
import { PIECE_BYTES, startOf } from "./segment.js";

/**
 * A message on its way out through this process's arena: the offer goes first, and its receiver unpacks pieces while
 * later ones are packed. Over once all are packed: what fits into the ring waits for nobody.
 */
export class HostSend implements Sending {
  readonly #message: Addressed;
  readonly #arena: Arena;
  readonly #held: Held;
  #offer: Fragment | undefined;
  #packed = 0;
  #error: unknown;
  #polls = 0;

  /** `writeOffer` writes the offer behind the frame, and returns its bytes. Throws where the MPI does not send it. */
  constructor(
    message: Addressed,
    wire: Wire,
    arena: Arena,
    held: Held,
    writeOffer: (bytes: Uint8Array, at: number, held: Held) => number,
  ) {
    this.#message = message;
    this.#arena = arena;
    this.#held = held;
    const { call, peer, tag, frame, place } = message;
    const buffer = wire.context.staging.take(wire.options.chunkBytes);
    writeFrame(buffer.bytes, { ...frame, offer: place });
    const bytes = FRAME_BYTES + writeOffer(buffer.bytes, FRAME_BYTES, held);
    this.#offer = wire.send(call, wire.messages, buffer.address, bytes, peer, tag, buffer);
  }

  get isOver(): boolean {
    if (this.#error !== undefined) return true;
    return this.#offer === undefined && this.#packed === this.#held.pieces;
  }

  poll(): Status | undefined {
    if (!this.isOver) return undefined;
    if (this.#error !== undefined) throw this.#error as Error;
    return new Status(this.#message.peer, -1, this.#message.placed.sizeBytes);
  }

  advance(): boolean {
    if (this.isOver) return true;
    try {
      this.#pack();
      if (this.#offer?.hasEnded() === true) this.#offer = undefined;
    } catch (error) {
      this.#error = error;
      if (this.#packed < this.#held.pieces && this.#arena.has(this.#held)) this.#arena.segment.giveUp(this.#held);
    }
    return this.isOver;
  }

  #pack(): void {
    const { pieces, ringPieces, isReaderAlive } = this.#held;
    const { placed, peer } = this.#message;
    const { segment } = this.#arena;
    for (; this.#packed < pieces; this.#packed++) {
      const isGone = !this.#arena.has(this.#held);
      if (isGone || this.#packed - segment.takenOf(this.#held) >= ringPieces) {
        if (isGone || (++this.#polls % POLLS_A_HEALTH === 0 && !isReaderAlive()))
          throw new BridgeError(`send to ${peer}`, "its receiver to take the message", "an end of its process");
        return;
      }
      if (!isThere(placed))
        throw new BridgeError(`send to ${peer}`, "its buffer until it is over", "one that was transferred away");
      const first = this.#packed * PIECE_BYTES;
      const length = Math.min(PIECE_BYTES, placed.sizeBytes - first);
      packRange(placed, first, length, segment.pieces, startOf(this.#held, this.#packed));
      segment.setPacked(this.#held, this.#packed + 1);
    }
  }
}
