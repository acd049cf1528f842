import { MpiError } from "@stowage/mpi-abi";
import { isThere } from "../../message/place/place.js";
import type { Placed } from "../../message/place/placed.js";
import type { StagingBuffer, Staging } from "../../message/place/staging.js";
import { lineOf } from "../ipc/line-of.js";
import { readOffer } from "../../message/devices/offer.js";
import { REPLY_BYTES, writeReply, type Reply } from "../ipc/reply.js";
import { BridgeError } from "../../errors.js";
import { NcclFetch } from "../nccl/nccl-fetch.js";
import type { Task } from "../../message/requests/progress.js";
import type { Steps } from "../../message/requests/request.js";
import { Status } from "../../message/requests/status.js";
import type { Arrived } from "./arrived.js";
import type { Flight } from "./flight.js";
import { FRAME_BYTES, readFrame, type Frame } from "./frame.js";
import { firstBytesOf } from "./framing-options.js";
import type { Lane } from "./lane.js";
import { isBytes, unpackRange } from "../../message/place/move-range.js";
import { requireSignature } from "./sent-signature.js";

/** Elements on their way from another rank's GPU. */
interface Fetch {
  /** What the sender is told at the end. */
  readonly answer: Reply["answer"];
  /** Whether they are there; throws where they never will be. */
  poll(): boolean;
}

/** A later chunk under way: which packed bytes it holds. */
interface Chunk {
  readonly first: number;
  readonly length: number;
  readonly flight: Flight;
}

const goneOf = (subject: string): Error =>
  new BridgeError(subject, "its buffer until it is over", "one that was transferred away");

/** A framed message on its way in: while later chunks arrive those that are there are unpacked. */
export class FramedReceive implements Task, Steps {
  readonly #lane: Lane;
  readonly #placed: Placed;
  readonly #subject: string;
  #first: Flight | undefined;
  #frame: Frame | undefined;
  #status: Status | undefined;
  /** Why nothing is unpacked: chunks still arrive, for they would be taken for the next message's. */
  #refusal: Error | undefined;
  #error: unknown;
  /** What comes from another rank's GPU, and the reply that says so. */
  #fetch: Fetch | undefined;
  #reply: Flight | undefined;
  readonly #chunks: Chunk[] = [];
  #postedBytes = 0;

  constructor(lane: Lane, placed: Placed, source: number, tag: number, subject: string, arrived: Arrived | undefined) {
    this.#lane = lane;
    this.#placed = placed;
    this.#subject = subject;
    if (arrived !== undefined) this.#begin(arrived);
    else this.#first = this.#postFirst(source, tag);
  }

  get isOver(): boolean {
    if (this.#error !== undefined || this.#status?.cancelled === true) return true;
    if (this.#fetch !== undefined || this.#reply !== undefined) return false;
    return this.#frame !== undefined && this.#chunks.length === 0 && this.#postedBytes === this.#frame.sizeBytes;
  }

  /** Its status once it is over; throws the error that ended it. */
  poll(): Status | undefined {
    if (!this.isOver) return undefined;
    const error = this.#error ?? this.#refusal;
    if (error !== undefined) throw error as Error;
    return this.#status;
  }

  /** Only what has not begun to arrive can be cancelled. */
  cancel(): void {
    this.#first?.cancel();
  }

  advance(): boolean {
    try {
      if (this.#first !== undefined && !this.#firstIsHere(this.#first)) return false;
      if (this.#frame !== undefined && this.#fetched(this.#frame)) this.#goOn(this.#frame);
    } catch (error) {
      this.#error = error;
    }
    return this.isOver;
  }

  get #staging(): Staging {
    return this.#placed.device?.pinned ?? this.#lane.context.staging;
  }

  #postFirst(source: number, tag: number): Flight {
    const { messages, options } = this.#lane;
    const buffer = this.#staging.take(options.chunkBytes);
    return this.#lane.receive(messages, buffer.address, options.chunkBytes, source, tag, buffer);
  }

  #firstIsHere(first: Flight): boolean {
    const status = first.test();
    if (status === undefined) return false;
    this.#first = undefined;
    const buffer = first.staging as StagingBuffer;
    try {
      if (status.cancelled) this.#status = status;
      else this.#begin({ status, buffer, frame: readFrame(buffer.bytes, status.sizeBytes, this.#subject) });
    } finally {
      first.end();
    }
    return true;
  }

  #begin({ status, buffer, frame }: Arrived): void {
    const { source, tag } = status;
    this.#status = new Status(source, tag, frame.sizeBytes);
    this.#refusal = this.#refusalOf(frame);
    if (frame.offer !== "none") return this.#takeOffer(frame, buffer, source);
    this.#postedBytes = firstBytesOf(this.#lane.options, frame.sizeBytes);
    this.#frame = frame;
    if (this.#refusal === undefined) unpackRange(this.#placed, 0, this.#postedBytes, buffer, FRAME_BYTES);
  }

  /** Fetches what was offered, or has it sent by way of the host. */
  #takeOffer(frame: Frame, { bytes }: StagingBuffer, source: number): void {
    const { sizeBytes } = frame;
    this.#frame = frame;
    this.#postedBytes = sizeBytes;
    if (this.#refusal !== undefined) return this.#answer(frame, source, "fetched");
    const { direct } = this.#lane;
    if (this.#placed.device === undefined || direct === undefined) {
      this.#postedBytes = 0;
      return this.#answer(frame, source, "declined", "its elements are the host's");
    }
    try {
      this.#fetch =
        frame.offer === "ipc"
          ? direct.fetch(readOffer(bytes, FRAME_BYTES), this.#placed, sizeBytes)
          : new NcclFetch(this.#lane, direct, this.#placed, sizeBytes, source, frame.chain);
    } catch (error) {
      this.#postedBytes = 0;
      const isOfThese = error instanceof BridgeError && /^(datatype|memory) of a message/.test(error.subject);
      this.#answer(frame, source, isOfThese ? "declined" : "refused", lineOf(error));
    }
  }

  #answer({ chain }: Frame, source: number, answer: Reply["answer"], reason = ""): void {
    const buffer = this.#lane.context.staging.take(REPLY_BYTES);
    writeReply(buffer.bytes, { answer, reason });
    const to = [this.#lane.chunks, buffer.address, REPLY_BYTES, source, this.#lane.replyTag(chain)] as const;
    this.#reply = this.#lane.send("MPI_Isend", ...to, buffer);
  }

  /** Whether the fetch, and the reply to its sender, are over. */
  #fetched(frame: Frame): boolean {
    const { source } = this.#status as Status;
    if (this.#fetch !== undefined) {
      try {
        if (!this.#fetch.poll()) return false;
        this.#answer(frame, source, this.#fetch.answer);
      } catch (error) {
        this.#refusal = error as Error;
        this.#answer(frame, source, "failed", lineOf(error));
      }
      this.#fetch = undefined;
    }
    if (this.#reply === undefined) return true;
    if (this.#reply.test() === undefined) return false;
    this.#reply.end();
    this.#reply = undefined;
    return true;
  }

  #refusalOf({ sizeBytes, signature }: Frame): Error | undefined {
    const { sizeBytes: most } = this.#placed;
    if (sizeBytes > most) {
      return new MpiError("MPI_Recv", 0, "MPI_ERR_TRUNCATE", `${sizeBytes} bytes arrived for ${most}`);
    }
    if (!this.#lane.options.checksSignatures) return undefined;
    try {
      requireSignature(signature, this.#placed, this.#subject);
    } catch (error) {
      return error as Error;
    }
    return undefined;
  }

  #goOn(frame: Frame): void {
    const { chunkBytes, depth } = this.#lane.options;
    for (;;) {
      while (this.#postedBytes < frame.sizeBytes && this.#chunks.length < depth) {
        const length = Math.min(chunkBytes, frame.sizeBytes - this.#postedBytes);
        this.#chunks.push(this.#posted(frame, this.#postedBytes, length));
        this.#postedBytes += length;
      }
      const [next] = this.#chunks;
      if (next === undefined || !this.#isHere(next)) return;
      this.#chunks.shift();
      this.#take(next);
    }
  }

  #posted({ chain }: Frame, first: number, length: number): Chunk {
    const { source } = this.#status as Status;
    const { chunks } = this.#lane;
    if (!isThere(this.#placed)) this.#refusal ??= goneOf(this.#subject);
    const direct = isBytes(this.#placed) && !this.#placed.buffer.canChangeSize && this.#refusal === undefined;
    const buffer = direct ? undefined : this.#staging.take(length);
    const address = buffer?.address ?? this.#placed.address + first;
    return { first, length, flight: this.#lane.receive(chunks, address, length, source, chain, buffer) };
  }

  /** MPI is done with it, well or not. */
  #isHere({ flight }: Chunk): boolean {
    try {
      return flight.test() !== undefined;
    } catch (error) {
      this.#refusal ??= error as Error;
      return true;
    }
  }

  #take({ first, length, flight }: Chunk): void {
    try {
      if (flight.staging !== undefined && this.#refusal === undefined) {
        unpackRange(this.#placed, first, length, flight.staging, 0);
      }
    } catch (error) {
      this.#refusal ??= error as Error;
    } finally {
      flight.end();
    }
  }
}
