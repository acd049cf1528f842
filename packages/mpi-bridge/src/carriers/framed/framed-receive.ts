import { MpiError } from "@stowage/mpi-abi";
import { isThere, type Placed } from "../../message/place/placed.js";
import type { StagingBuffer, Staging } from "../../message/place/staging.js";
import { lineOf } from "../../message/line-of.js";
import { BridgeError } from "../../errors.js";
import type { Task } from "../../message/requests/progress.js";
import type { Steps } from "../../message/requests/request.js";
import { Status } from "../../message/requests/status.js";
import type { Carrier, Offered, Taking } from "../carrier.js";
import { ANSWER_BYTES, writeAnswer, type Answer } from "./answer.js";
import type { Fragment } from "./fragment.js";
import { FRAME_BYTES, NO_OFFER, readFrame, type Frame } from "./frame.js";
import { firstBytesOf } from "./framing-options.js";
import type { Wire } from "./wire.js";
import { isBytes, unpackRange } from "../../message/place/move-range.js";
import { requireSignature } from "./sent-signature.js";

/** The first message of a framed one, taken out of MPI's queue: a probe must tell the whole message's size. */
export interface Arrived {
  readonly status: Status;
  readonly frame: Frame;
  /** The frame, then the message's first bytes, or an offer. */
  readonly buffer: StagingBuffer;
}

/** A later chunk under way: which packed bytes it holds. */
interface Chunk {
  readonly first: number;
  readonly length: number;
  readonly fragment: Fragment;
}

const goneOf = (subject: string): Error =>
  new BridgeError(subject, "its buffer until it is over", "one that was transferred away");

/** A framed message on its way in: while later chunks arrive those that are there are unpacked. */
export class FramedReceive implements Task, Steps {
  readonly #wire: Wire;
  readonly #carriers: readonly Carrier[];
  readonly #placed: Placed;
  readonly #subject: string;
  #first: Fragment | undefined;
  #frame: Frame | undefined;
  #status: Status | undefined;
  /** Why nothing is unpacked: chunks still arrive, for they would be taken for the next message's. */
  #refusal: Error | undefined;
  #error: unknown;
  /** What comes by an offer, and the answer that says so. */
  #taking: Extract<Taking, { kind: "taking" }> | undefined;
  #answering: Fragment | undefined;
  readonly #chunks: Chunk[] = [];
  #postedBytes = 0;

  /** `carriers` are all, in the order of their places. */
  constructor(
    wire: Wire,
    carriers: readonly Carrier[],
    placed: Placed,
    source: number,
    tag: number,
    subject: string,
    arrived: Arrived | undefined,
  ) {
    this.#wire = wire;
    this.#carriers = carriers;
    this.#placed = placed;
    this.#subject = subject;
    if (arrived !== undefined) this.#begin(arrived);
    else this.#first = this.#postFirst(source, tag);
  }

  get isOver(): boolean {
    if (this.#error !== undefined || this.#status?.cancelled === true) return true;
    if (this.#taking !== undefined || this.#answering !== undefined) return false;
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
      if (this.#frame !== undefined && this.#isTaken()) this.#goOn(this.#frame);
    } catch (error) {
      this.#error = error;
    }
    return this.isOver;
  }

  get #staging(): Staging {
    return this.#placed.device?.pinned ?? this.#wire.context.staging;
  }

  #postFirst(source: number, tag: number): Fragment {
    const { messages, options } = this.#wire;
    const buffer = this.#staging.take(options.chunkBytes);
    return this.#wire.receive(messages, buffer.address, options.chunkBytes, source, tag, buffer);
  }

  #firstIsHere(first: Fragment): boolean {
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
    if (frame.offer !== NO_OFFER) return this.#takeOffer(frame, buffer, source);
    this.#postedBytes = firstBytesOf(this.#wire.options, frame.sizeBytes);
    this.#frame = frame;
    if (this.#refusal === undefined) unpackRange(this.#placed, 0, this.#postedBytes, buffer, FRAME_BYTES);
  }

  /** Takes what was offered, or has it come in chunks. */
  #takeOffer(frame: Frame, { bytes }: StagingBuffer, source: number): void {
    this.#frame = frame;
    this.#postedBytes = frame.sizeBytes;
    const offered = { bytes, atBytes: FRAME_BYTES, placed: this.#placed, source, frame };
    if (this.#refusal !== undefined) return this.#leave(offered);
    try {
      const taking = this.#takingOf(offered);
      if (taking.kind === "taking") return void (this.#taking = taking);
      this.#answer(taking);
    } catch (error) {
      this.#answer({ kind: "refused", reason: lineOf(error) });
    }
    this.#postedBytes = 0;
  }

  #takingOf(offered: Offered): Taking {
    const carrier = this.#carriers[offered.frame.offer];
    if (carrier?.receivers !== "members" || carrier.take === undefined)
      throw new BridgeError("offer of a message", "one of a carrier that is registered here", `${offered.frame.offer}`);
    return carrier.take(offered, this.#wire);
  }

  #leave(offered: Offered): void {
    const carrier = this.#carriers[offered.frame.offer];
    if (carrier?.receivers !== "members" || carrier.leave === undefined)
      return this.#answer({ kind: "taken", onOneGpu: false });
    const answer = carrier.leave(offered);
    if (answer !== undefined) this.#answer(answer);
  }

  #answer(answer: Answer): void {
    const { source } = this.#status as Status;
    const buffer = this.#wire.context.staging.take(ANSWER_BYTES);
    writeAnswer(buffer.bytes, answer);
    const tag = this.#wire.answerTag((this.#frame as Frame).chain);
    const to = [this.#wire.chunks, buffer.address, ANSWER_BYTES, source, tag] as const;
    this.#answering = this.#wire.send("MPI_Isend", ...to, buffer);
  }

  /** Whether what was offered is there, and its sender told so. */
  #isTaken(): boolean {
    if (this.#taking !== undefined) {
      const { answer } = this.#taking;
      try {
        if (!this.#taking.poll()) return false;
        if (answer !== undefined) this.#answer(answer);
      } catch (error) {
        this.#refusal = error as Error;
        if (answer !== undefined) this.#answer({ kind: "failed", reason: lineOf(error) });
      }
      this.#taking = undefined;
    }
    if (this.#answering?.hasEnded() === false) return false;
    this.#answering = undefined;
    return true;
  }

  #refusalOf({ sizeBytes, signature }: Frame): Error | undefined {
    const { sizeBytes: most } = this.#placed;
    if (sizeBytes > most) {
      return new MpiError("MPI_Recv", 0, "MPI_ERR_TRUNCATE", `${sizeBytes} bytes arrived for ${most}`);
    }
    if (!this.#wire.options.checksSignatures) return undefined;
    try {
      requireSignature(signature, this.#placed, this.#subject);
    } catch (error) {
      return error as Error;
    }
    return undefined;
  }

  #goOn(frame: Frame): void {
    const { chunkBytes, depth } = this.#wire.options;
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
    const { chunks } = this.#wire;
    if (!isThere(this.#placed)) this.#refusal ??= goneOf(this.#subject);
    const isShown = isBytes(this.#placed) && !this.#placed.buffer.canChangeSize && this.#refusal === undefined;
    const buffer = isShown ? undefined : this.#staging.take(length);
    const address = buffer?.address ?? this.#placed.address + first;
    return { first, length, fragment: this.#wire.receive(chunks, address, length, source, chain, buffer) };
  }

  /** MPI is done with it, well or not. */
  #isHere({ fragment }: Chunk): boolean {
    try {
      return fragment.test() !== undefined;
    } catch (error) {
      this.#refusal ??= error as Error;
      return true;
    }
  }

  #take({ first, length, fragment }: Chunk): void {
    try {
      if (fragment.staging !== undefined && this.#refusal === undefined) {
        unpackRange(this.#placed, first, length, fragment.staging, 0);
      }
    } catch (error) {
      this.#refusal ??= error as Error;
    } finally {
      fragment.end();
    }
  }
}
