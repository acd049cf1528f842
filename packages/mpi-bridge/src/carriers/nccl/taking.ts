import type { Completion } from "@stowage/backend-api";
import { BridgeError } from "../../errors.js";
import type { StagingBuffer } from "../../message/place/staging.js";
import type { Offered } from "../carrier.js";
import { ANSWER_BYTES, readAnswer, writeAnswer } from "../framed/answer.js";
import type { Fragment } from "../framed/fragment.js";
import { POLLS_A_HEALTH } from "../framed/offered-send.js";
import type { Wire } from "../framed/wire.js";
import type { Channel } from "./channel.js";
import type { Channels } from "./channels.js";

/**
 * The receiver's part of a message by NCCL: it is sent to the stream, the sender is told that it may do the same and
 * which one in the channel it is, and tells in turn that it did. Over once the elements are in place.
 */
export class NcclTaking {
  readonly kind = "taking";
  readonly answer = { kind: "taken", onOneGpu: false } as const;
  readonly #channels: Channels;
  readonly #channel: Channel;
  readonly #source: number;
  readonly #staging: StagingBuffer | undefined;
  readonly #arrival: Completion;
  #listening: Fragment | undefined;
  readonly #sending: Fragment;
  #isSent = false;
  #arrived = false;
  #polls = 0;

  constructor(wire: Wire, channels: Channels, channel: Channel, { placed, source, frame }: Offered) {
    this.#channels = channels;
    this.#channel = channel;
    this.#source = source;
    this.#staging = channels.begin("receive", placed, frame.sizeBytes);
    this.#arrival = this.#orGivenUp(() => channel.receive(placed, frame.sizeBytes, this.#staging));
    const { staging } = wire.context;
    const [note, go] = [staging.take(ANSWER_BYTES), staging.take(ANSWER_BYTES)];
    const noteTag = wire.noteTag(frame.chain);
    this.#listening = wire.receive(wire.chunks, note.address, ANSWER_BYTES, source, noteTag, note);
    writeAnswer(go.bytes, { kind: "ready", turn: channel.turn });
    const to = [wire.chunks, go.address, ANSWER_BYTES, source, wire.answerTag(frame.chain)] as const;
    this.#sending = wire.send("MPI_Isend", ...to, go);
  }

  /** Whether it is over. Throws where it never will be. */
  poll(): boolean {
    this.#orGivenUp(() => {
      this.#isSent ||= this.#sending.hasEnded();
      if (this.#listening?.test() !== undefined) this.#hear(this.#listening);
      this.#arrived ||= this.#arrival.poll();
      if (!this.#arrived && ++this.#polls % POLLS_A_HEALTH === 0) this.#channel.requireHealth();
    });
    if (!this.#arrived || !this.#isSent || this.#listening !== undefined) return false;
    this.#channels.end(this.#staging);
    return true;
  }

  #orGivenUp<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#channels.giveUp(this.#source, error);
      this.#channels.end(this.#staging);
      throw error;
    }
  }

  #hear(listening: Fragment): void {
    const said = readAnswer((listening.staging as StagingBuffer).bytes);
    listening.end();
    this.#listening = undefined;
    if (said.kind === "failed")
      throw new BridgeError(`recv from ${this.#source}`, "its GPU to send the message", said.reason);
  }
}
