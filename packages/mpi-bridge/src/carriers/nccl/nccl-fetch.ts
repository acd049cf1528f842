import type { Completion } from "@stowage/backend-api";
import type { Placed } from "../../message/place/placed.js";
import type { StagingBuffer } from "../../message/place/staging.js";
import type { DirectPaths } from "../ipc/direct-paths.js";
import { readReply, REPLY_BYTES, writeReply } from "../ipc/reply.js";
import { BridgeError } from "../../errors.js";
import type { Flight } from "../framed/flight.js";
import type { Lane } from "../framed/lane.js";
import type { Channel } from "./channel.js";
import type { NcclPaths } from "./nccl-paths.js";

/** Polls between two questions to NCCL whether its communicator still lives. */
export const POLLS_A_HEALTH = 4096;

/**
 * The receiver's part of a message by NCCL: it is sent to the stream, the sender is told that it may do the same and
 * which one in the channel it is, and tells in turn that it did. Over once the elements are in place.
 */
export class NcclFetch {
  readonly answer = "fetched";
  readonly #paths: NcclPaths;
  readonly #channel: Channel;
  readonly #source: number;
  readonly #staging: StagingBuffer | undefined;
  readonly #arrival: Completion;
  #flights: Flight[];
  readonly #listening: Flight;
  #arrived = false;
  #polls = 0;

  constructor(
    lane: Lane,
    { nccl: paths }: DirectPaths,
    placed: Placed,
    sizeBytes: number,
    source: number,
    chain: number,
  ) {
    const channel = paths?.from(source);
    if (paths === undefined || channel === undefined || placed.device !== paths.side)
      throw new BridgeError("memory of a message by NCCL", "that of the rank's GPU there", "another's");
    if (!paths.isReadyFor("receive", placed, sizeBytes))
      throw new BridgeError("memory of a message by NCCL", "kernels that are loaded", "none, and others under way");
    this.#paths = paths;
    this.#channel = channel;
    this.#source = source;
    this.#staging = paths.begin("receive", placed, sizeBytes);
    this.#arrival = this.#begun(() => channel.receive(placed, sizeBytes, this.#staging));
    const [note, go] = [0, 1].map(() => lane.context.staging.take(REPLY_BYTES)) as [StagingBuffer, StagingBuffer];
    this.#listening = lane.receive(lane.chunks, note.address, REPLY_BYTES, source, lane.noteTag(chain), note);
    writeReply(go.bytes, { answer: "ready", turn: channel.turn, reason: "" });
    const sending = lane.send("MPI_Isend", lane.chunks, go.address, REPLY_BYTES, source, lane.replyTag(chain), go);
    this.#flights = [this.#listening, sending];
  }

  /** Whether it is over. Throws where it never will be. */
  poll(): boolean {
    try {
      this.#flights = this.#flights.filter((flight) => !this.#landed(flight));
      this.#arrived ||= this.#arrival.poll();
      if (!this.#arrived && ++this.#polls % POLLS_A_HEALTH === 0) this.#channel.requireHealth();
    } catch (error) {
      this.#paths.giveUp(this.#source, error);
      this.#paths.end(this.#staging);
      throw error;
    }
    if (!this.#arrived || this.#flights.length > 0) return false;
    this.#paths.end(this.#staging);
    return true;
  }

  #begun(begin: () => Completion): Completion {
    try {
      return begin();
    } catch (error) {
      this.#paths.giveUp(this.#source, error);
      this.#paths.end(this.#staging);
      throw error;
    }
  }

  #landed(flight: Flight): boolean {
    if (flight.test() === undefined) return false;
    const said = flight === this.#listening ? readReply((flight.staging as StagingBuffer).bytes) : undefined;
    flight.end();
    if (said?.answer === "failed")
      throw new BridgeError(`recv from ${this.#source}`, "its GPU to send the message", said.reason);
    return true;
  }
}
