import type { Staging, StagingBuffer } from "../buffer/staging.js";
import { giveUp } from "../communicator/endpoint.js";
import type { PointToPoint } from "../communicator/point-to-point.js";
import { BridgeError } from "../errors.js";
import type { Request } from "../request/request.js";

/** Packed bytes that come from a rank. */
export interface Arriving {
  readonly request: Request;
  /** They begin where it does. */
  readonly packed: StagingBuffer;
  /** Throws a BridgeError where another number of bytes came: ranks disagree about the reduction. */
  requireWhole(): void;
}

/** Parts of packed streams between the ranks of one reduction, over a communicator that carries nothing else. */
export class PartMessages {
  readonly rank: number;
  readonly size: number;
  readonly #comm: PointToPoint;
  readonly #tag: number;
  readonly #staging: Staging;
  readonly #held: StagingBuffer[] = [];
  readonly #requests: Request[] = [];
  readonly #subject: string;

  constructor(comm: PointToPoint & Ranks, tag: number, staging: Staging, subject: string) {
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

  send(packed: StagingBuffer, length: number, dest: number): void {
    this.#requests.push(this.#comm.isend(packed.bytes.subarray(0, length), dest, { tag: this.#tag }));
  }

  receive(length: number, source: number): Arriving {
    const packed = this.take(length);
    const request = this.#comm.irecv(packed.bytes.subarray(0, length), source, { tag: this.#tag });
    this.#requests.push(request);
    const requireWhole = (): void => {
      const { sizeBytes } = request.wait();
      if (sizeBytes !== length)
        throw new BridgeError(this.#subject, `${length} bytes of rank ${source}`, `${sizeBytes}`);
    };
    return { request, packed, requireWhole };
  }

  /** All of them; over once its memory serves others. */
  get requests(): readonly Request[] {
    return this.#requests;
  }

  /** All messages are over. */
  release(): void {
    for (const buffer of this.#held) buffer.home.give(buffer);
  }

  /** It failed: MPI may still write to its memory, which is not used again. */
  giveUp(): void {
    for (const request of this.#requests) giveUp(request);
  }
}

interface Ranks {
  readonly rank: number;
  readonly size: number;
}
