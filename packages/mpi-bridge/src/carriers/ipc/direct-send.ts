import { BridgeError } from "../../errors.js";
import { FramedSend, type SendCall } from "../framed/framed-send.js";
import type { Flight } from "../framed/flight.js";
import { FRAME_BYTES, writeFrame, type Frame } from "../framed/frame.js";
import type { Lane } from "../framed/lane.js";
import type { Placed } from "../../message/place/placed.js";
import type { StagingBuffer } from "../../message/place/staging.js";
import type { Task } from "../../message/requests/progress.js";
import type { Steps } from "../../message/requests/request.js";
import { Status } from "../../message/requests/status.js";
import { MOST_TEXT_BYTES, type Offered } from "./direct-paths.js";
import { OFFER_BYTES } from "../../message/devices/offer.js";
import { isFetched, readReply, REPLY_BYTES } from "./reply.js";

/**
 * A message that its receiver fetches from this rank's GPU: an offer goes, a reply comes. Where the receiver refuses,
 * the elements follow by way of the host.
 */
export class DirectSend implements Task, Steps {
  readonly #lane: Lane;
  readonly #placed: Placed;
  readonly #peer: number;
  readonly #frame: Frame;
  readonly #offered: Offered;
  readonly #listening: Flight;
  #flights: Flight[];
  #fallback: FramedSend | undefined;
  #error: unknown;

  constructor(lane: Lane, placed: Placed, peer: number, tag: number, call: SendCall, frame: Frame, offered: Offered) {
    this.#lane = lane;
    this.#placed = placed;
    this.#peer = peer;
    this.#frame = frame;
    this.#offered = offered;
    const { staging } = lane.context;
    const reply = staging.take(REPLY_BYTES);
    const replyTag = lane.replyTag(frame.chain);
    this.#listening = lane.receive(lane.chunks, reply.address, REPLY_BYTES, peer, replyTag, reply);
    this.#flights = [this.#listening];
    const buffer = staging.take(FRAME_BYTES + OFFER_BYTES + MOST_TEXT_BYTES);
    writeFrame(buffer.bytes, frame);
    const bytes = FRAME_BYTES + offered.write(buffer.bytes, FRAME_BYTES);
    this.#flights.push(lane.send(call, lane.messages, buffer.address, bytes, peer, tag, buffer));
  }

  get isOver(): boolean {
    return this.#flights.length === 0 && (this.#fallback?.isOver ?? true);
  }

  poll(): Status | undefined {
    if (!this.isOver) return undefined;
    if (this.#error !== undefined) throw this.#error as Error;
    return this.#fallback === undefined ? new Status(this.#peer, -1, this.#placed.sizeBytes) : this.#fallback.poll();
  }

  advance(): boolean {
    try {
      this.#flights = this.#flights.filter((flight) => !this.#landed(flight));
    } catch (error) {
      this.#error ??= error;
      this.#flights = [];
    }
    this.#fallback?.advance();
    return this.isOver;
  }

  #landed(flight: Flight): boolean {
    if (flight.test() === undefined) return false;
    if (flight === this.#listening) this.#answer((flight.staging as StagingBuffer).bytes);
    flight.end();
    return true;
  }

  #answer(bytes: Uint8Array): void {
    this.#offered.release();
    const reply = readReply(bytes);
    const { answer, reason } = reply;
    if (answer === "fetched on one GPU") this.#lane.direct?.onOneGpu.add(this.#peer);
    if (isFetched(reply)) return;
    if (answer === "failed")
      return void (this.#error = new BridgeError(`send to ${this.#peer}`, "its GPU to fetch the message", reason));
    if (answer === "refused") this.#lane.direct?.refusals.set(this.#peer, `rank ${this.#peer} refused: ${reason}`);
    this.#fallback = new FramedSend(this.#lane, this.#placed, this.#peer, this.#frame);
  }
}
