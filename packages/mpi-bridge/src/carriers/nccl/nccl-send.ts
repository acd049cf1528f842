import type { Completion } from "@stowage/backend-api";
import type { Placed } from "../../message/place/placed.js";
import type { StagingBuffer } from "../../message/place/staging.js";
import { lineOf } from "../ipc/line-of.js";
import { isFetched, readReply, REPLY_BYTES, writeReply, type Reply } from "../ipc/reply.js";
import { BridgeError } from "../../errors.js";
import { FramedSend, type SendCall } from "../framed/framed-send.js";
import type { Flight } from "../framed/flight.js";
import { FRAME_BYTES, writeFrame, type Frame } from "../framed/frame.js";
import type { Lane } from "../framed/lane.js";
import type { Task } from "../../message/requests/progress.js";
import type { Steps } from "../../message/requests/request.js";
import { Status } from "../../message/requests/status.js";
import type { Channel } from "./channel.js";
import { POLLS_A_HEALTH } from "./nccl-fetch.js";
import type { NcclPaths } from "./nccl-paths.js";

/**
 * A message that goes by NCCL once its receiver is ready for it: its frame goes, the answer says which one in the
 * channel it is, and a second answer that it has arrived. Where the receiver declines, the elements follow by way of
 * the host.
 */
export class NcclSend implements Task, Steps {
  readonly #lane: Lane;
  readonly #paths: NcclPaths;
  readonly #channel: Channel;
  readonly #placed: Placed;
  readonly #peer: number;
  readonly #frame: Frame;
  readonly #staging: StagingBuffer | undefined;
  #listening: Flight;
  #flights: Flight[] = [];
  /** Which one in the channel it is; undefined until its receiver is ready. */
  #turn: number | undefined;
  #departure: Completion | undefined;
  #fallback: FramedSend | undefined;
  #error: unknown;
  #isAnswered = false;
  #isHeld = true;
  #polls = 0;

  constructor(lane: Lane, paths: NcclPaths, placed: Placed, peer: number, tag: number, call: SendCall, frame: Frame) {
    this.#lane = lane;
    this.#paths = paths;
    this.#channel = paths.to(peer) as Channel;
    this.#placed = placed;
    this.#peer = peer;
    this.#frame = frame;
    this.#staging = paths.begin("send", placed, placed.sizeBytes);
    this.#listening = this.#listen();
    const buffer = lane.context.staging.take(FRAME_BYTES);
    writeFrame(buffer.bytes, frame);
    this.#flights.push(lane.send(call, lane.messages, buffer.address, FRAME_BYTES, peer, tag, buffer));
  }

  get isOver(): boolean {
    const isGone = this.#isAnswered && this.#departure === undefined && this.#flights.length === 0;
    return isGone && (this.#fallback?.isOver ?? true);
  }

  poll(): Status | undefined {
    if (!this.isOver) return undefined;
    if (this.#error !== undefined) throw this.#error as Error;
    return this.#fallback === undefined ? new Status(this.#peer, -1, this.#placed.sizeBytes) : this.#fallback.poll();
  }

  advance(): boolean {
    try {
      this.#flights = this.#flights.filter((flight) => !landed(flight));
      if (!this.#isAnswered && this.#listening.test() !== undefined) this.#answered();
      if (this.#turn === this.#channel.turn + 1) this.#depart();
      if (this.#departure !== undefined) this.#goOn(this.#departure);
    } catch (error) {
      this.#fail(error);
    }
    this.#fallback?.advance();
    return this.isOver;
  }

  #listen(): Flight {
    const buffer = this.#lane.context.staging.take(REPLY_BYTES);
    const tag = this.#lane.replyTag(this.#frame.chain);
    return this.#lane.receive(this.#lane.chunks, buffer.address, REPLY_BYTES, this.#peer, tag, buffer);
  }

  #answered(): void {
    const reply = readReply((this.#listening.staging as StagingBuffer).bytes);
    this.#listening.end();
    if (reply.answer !== "ready") return this.#ended(reply);
    this.#turn = reply.turn;
    this.#listening = this.#listen();
  }

  /** By the last answer. */
  #ended(reply: Reply): void {
    const { answer, reason } = reply;
    this.#isAnswered = true;
    if (answer === "failed") throw new BridgeError(`send to ${this.#peer}`, "its GPU to receive the message", reason);
    if (this.#departure === undefined) this.#release();
    if (answer === "refused") this.#paths.giveUp(this.#peer, `rank ${this.#peer} refused: ${reason}`);
    if (!isFetched(reply)) this.#fallback = new FramedSend(this.#lane, this.#placed, this.#peer, this.#frame);
  }

  #depart(): void {
    this.#turn = undefined;
    try {
      this.#departure = this.#channel.send(this.#placed, this.#staging);
      this.#note({ answer: "ready", reason: "" });
    } catch (error) {
      this.#note({ answer: "failed", reason: lineOf(error) });
      throw error;
    }
  }

  #goOn(departure: Completion): void {
    if (departure.poll()) {
      this.#departure = undefined;
      this.#release();
    } else if (++this.#polls % POLLS_A_HEALTH === 0) this.#channel.requireHealth();
  }

  /** Tells the receiver what became of this side. */
  #note(reply: Reply): void {
    const buffer = this.#lane.context.staging.take(REPLY_BYTES);
    writeReply(buffer.bytes, reply);
    const tag = this.#lane.noteTag(this.#frame.chain);
    this.#flights.push(
      this.#lane.send("MPI_Isend", this.#lane.chunks, buffer.address, REPLY_BYTES, this.#peer, tag, buffer),
    );
  }

  #release(): void {
    if (this.#isHeld) this.#paths.end(this.#staging);
    this.#isHeld = false;
  }

  #fail(error: unknown): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    this.#paths.giveUp(this.#peer, error);
    this.#release();
    this.#departure = undefined;
    this.#isAnswered = true;
  }
}

function landed(flight: Flight): boolean {
  if (flight.test() === undefined) return false;
  flight.end();
  return true;
}
