import type { Staging, StagingBuffer } from "../../message/place/staging.js";
import { giveUp } from "../endpoint.js";
import type { Sender } from "../collectives/peer-exchange.js";
import { BridgeError } from "../../errors.js";
import type { Request } from "../../message/requests/request.js";
import { DEPTH, SEGMENT_BYTES, type StreamPart } from "./parts-of-stream.js";

/** Waits for requests, step by step, and ends with a value. */
export type Waiting<T> = Generator<readonly Request[], T, void>;

/** Messages of one reduction, over a communicator that carries nothing else. */
export class PartMessages {
  readonly rank: number;
  readonly size: number;
  readonly #comm: Sender;
  readonly #tag: number;
  readonly #staging: Staging;
  readonly #subject: string;
  readonly #held: StagingBuffer[] = [];
  readonly #streams: (SentStream | ReceivedStream)[] = [];

  constructor(comm: Sender & Ranks, tag: number, staging: Staging, subject: string) {
    [this.rank, this.size] = [comm.rank, comm.size];
    this.#comm = comm;
    this.#tag = tag;
    this.#staging = staging;
    this.#subject = subject;
  }

  /** Memory for packed bytes until the reduction is over. */
  take(bytes: number): StagingBuffer {
    const buffer = this.#staging.take(bytes);
    this.#held.push(buffer);
    return buffer;
  }

  /** Segments that go to a rank; several streams between two ranks are told apart by `kind`, 0 or 1. */
  to(rank: number, kind: StreamKind): SentStream {
    const send = (bytes: Uint8Array): Request => this.#comm.isend(bytes, rank, { tag: this.#tag + kind });
    return this.#kept(new SentStream(send, (bytes) => this.take(bytes)));
  }

  from(rank: number, kind: StreamKind): ReceivedStream {
    const receive = (bytes: Uint8Array): Request => this.#comm.irecv(bytes, rank, { tag: this.#tag + kind });
    const subject = { subject: this.#subject, rank };
    return this.#kept(new ReceivedStream(receive, (bytes) => this.take(bytes), subject));
  }

  /** Ends once all that was sent may be used again. */
  *ended(): Waiting<void> {
    yield this.#requests();
  }

  /** All messages are over: their memory serves others. */
  release(): void {
    for (const buffer of this.#held) buffer.home.give(buffer);
  }

  /** It failed: MPI may still write to its memory, which is not used again. */
  giveUp(): void {
    for (const request of this.#requests()) giveUp(request);
  }

  #requests(): readonly Request[] {
    return this.#streams.flatMap((stream) => stream.underWay);
  }

  #kept<T extends SentStream | ReceivedStream>(stream: T): T {
    this.#streams.push(stream);
    return stream;
  }
}

/** Input of a rank, or results of one. */
export type StreamKind = 0 | 1;
export const [INPUT, RESULTS] = [0, 1] as const;
export const STREAM_KINDS = 2;

interface Ranks {
  readonly rank: number;
  readonly size: number;
}

/** Slots of memory and the requests that use them, segment after segment. */
class Slots {
  protected readonly buffers: StagingBuffer[] = [];
  protected readonly requests: Request[] = [];
  readonly #take: (bytes: number) => StagingBuffer;

  constructor(take: (bytes: number) => StagingBuffer) {
    this.#take = take;
  }

  get underWay(): readonly Request[] {
    return this.requests;
  }

  protected buffer(index: number): StagingBuffer {
    return (this.buffers[index % DEPTH] ??= this.#take(SEGMENT_BYTES));
  }
}

/** Segments that go to one rank, in order. */
export class SentStream extends Slots {
  readonly #send: (bytes: Uint8Array) => Request;

  constructor(send: (bytes: Uint8Array) => Request, take: (bytes: number) => StagingBuffer) {
    super(take);
    this.#send = send;
  }

  /** Waits until the segment whose memory this one takes has gone. */
  *gone(index: number): Waiting<void> {
    const before = this.requests[index % DEPTH];
    if (before !== undefined) yield [before];
  }

  /** That memory. */
  *slot(index: number): Waiting<StagingBuffer> {
    yield* this.gone(index);
    return this.buffer(index);
  }

  send(index: number, packed: StagingBuffer, { length }: StreamPart): void {
    this.requests[index % DEPTH] = this.#send(packed.bytes.subarray(0, length));
  }
}

/** Segments that come from one rank, in order. */
export class ReceivedStream extends Slots {
  readonly #receive: (bytes: Uint8Array) => Request;
  readonly #of: { readonly subject: string; readonly rank: number };

  constructor(
    receive: (bytes: Uint8Array) => Request,
    take: (bytes: number) => StagingBuffer,
    of: { readonly subject: string; readonly rank: number },
  ) {
    super(take);
    this.#receive = receive;
    this.#of = of;
  }

  /** Whoever reads what came before in its memory has done so. */
  post(index: number, { length }: StreamPart): void {
    this.requests[index % DEPTH] = this.#receive(this.buffer(index).bytes.subarray(0, length));
  }

  /** Its packed bytes. Throws a BridgeError where another number of them came: ranks disagree about the reduction. */
  *arrived(index: number, { length }: StreamPart): Waiting<StagingBuffer> {
    const request = this.requests[index % DEPTH] as Request;
    yield [request];
    const { sizeBytes } = request.wait();
    if (sizeBytes === length) return this.buffer(index);
    throw new BridgeError(this.#of.subject, `${length} bytes of rank ${this.#of.rank}`, String(sizeBytes));
  }
}
