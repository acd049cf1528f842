import { isThere } from "../../message/place/place.js";
import type { Placed } from "../../message/place/placed.js";
import type { Staging } from "../../message/place/staging.js";
import { BridgeError } from "../../errors.js";
import type { Task } from "../../message/requests/progress.js";
import type { Steps } from "../../message/requests/request.js";
import { Status } from "../../message/requests/status.js";
import type { Flight } from "./flight.js";
import { FRAME_BYTES, writeFrame, type Frame } from "./frame.js";
import { firstBytesOf } from "./framing-options.js";
import type { Lane } from "./lane.js";
import { isBytes, packRange } from "../../message/place/move-range.js";

export type SendCall = "MPI_Isend" | "MPI_Issend";

/** A framed message on its way out: while chunks are under way the next one is packed. */
export class FramedSend implements Task, Steps {
  readonly #lane: Lane;
  readonly #placed: Placed;
  readonly #peer: number;
  readonly #frame: Frame;
  readonly #flights: Flight[] = [];
  #sentBytes: number;
  #error: unknown;

  /** Without a call all its bytes go as chunks: its receiver has had the frame. */
  constructor(lane: Lane, placed: Placed, peer: number, frame: Frame, call?: SendCall, tag = 0) {
    this.#lane = lane;
    this.#placed = placed;
    this.#peer = peer;
    this.#frame = frame;
    this.#sentBytes = call === undefined ? 0 : firstBytesOf(lane.options, placed.sizeBytes);
    if (call !== undefined) this.#flights.push(this.#first(call, tag));
  }

  /** Once MPI is done with all that was begun. */
  get isOver(): boolean {
    return this.#flights.length === 0 && !this.#hasMore;
  }

  /** Its status once it is over; throws the error that ended it. */
  poll(): Status | undefined {
    if (!this.isOver) return undefined;
    if (this.#error !== undefined) throw this.#error as Error;
    return new Status(this.#peer, -1, this.#placed.sizeBytes);
  }

  advance(): boolean {
    const landed = this.#flights.filter((flight) => this.#tried(() => flight.test() !== undefined, true));
    for (const flight of landed) this.#end(flight);
    while (this.#hasMore && this.#flights.length < this.#lane.options.depth) {
      this.#tried(() => this.#flights.push(this.#next()) > 0, false);
    }
    return this.isOver;
  }

  get #staging(): Staging {
    return this.#placed.device?.pinned ?? this.#lane.context.staging;
  }

  get #hasMore(): boolean {
    return this.#error === undefined && this.#sentBytes < this.#placed.sizeBytes;
  }

  /** What `attempt` gives; the first error ends the message, and `ifThrown` is given. */
  #tried(attempt: () => boolean, ifThrown: boolean): boolean {
    try {
      return attempt();
    } catch (error) {
      this.#error ??= error;
      return ifThrown;
    }
  }

  #end(flight: Flight): void {
    this.#flights.splice(this.#flights.indexOf(flight), 1);
    flight.end();
  }

  #first(call: SendCall, tag: number): Flight {
    const length = this.#sentBytes;
    const buffer = this.#staging.take(FRAME_BYTES + length);
    writeFrame(buffer.bytes, this.#frame);
    packRange(this.#placed, 0, length, buffer, FRAME_BYTES);
    return this.#lane.send(call, this.#lane.messages, buffer.address, FRAME_BYTES + length, this.#peer, tag, buffer);
  }

  #next(): Flight {
    const first = this.#sentBytes;
    const length = Math.min(this.#lane.options.chunkBytes, this.#placed.sizeBytes - first);
    const { address } = this.#placed;
    this.#sentBytes += length;
    const to = [this.#peer, this.#frame.chain] as const;
    if (!isThere(this.#placed))
      throw new BridgeError(`send to ${this.#peer}`, "its buffer until it is over", "one that was transferred away");
    if (isBytes(this.#placed) && !this.#placed.buffer.canChangeSize) {
      return this.#lane.send("MPI_Isend", this.#lane.chunks, address + first, length, ...to, undefined);
    }
    const buffer = this.#staging.take(length);
    packRange(this.#placed, first, length, buffer, 0);
    return this.#lane.send("MPI_Isend", this.#lane.chunks, buffer.address, length, ...to, buffer);
  }
}
