import type { Buffer, Completion } from "@stowage/backend-api";
import type { Context, Event, OwnStream } from "@stowage/cuda-driver";
import type { NcclCommunicator } from "@stowage/nccl";
import { pack, unpack } from "../../message/place/pack.js";
import type { Placed } from "../../message/place/placed.js";
import type { StagingBuffer } from "../../message/place/staging.js";
import { piecesOf } from "./pieces.js";

/** Ranks of a channel's communicator, which has two. */
export const [SENDER, RECEIVER] = [0, 1] as const;

/**
NCCL's messages from one rank to another: a communicator of these two, and a stream of its own, so that
 * nothing else waits for them. Both ends send their sides of messages to it in one order, that of the receiver, which
 * numbers them.
 */
export class Channel implements Disposable {
  readonly #comm: NcclCommunicator;
  readonly #pieceBytes: number;
  readonly #context: Context;
  readonly #transfers: OwnStream;
  /** Packs or unpacks pieces. */
  readonly #moves: OwnStream;
  readonly #order: Event;
  /** Messages that this side has sent to the stream. */
  turn = 0;

  constructor(comm: NcclCommunicator, pieceBytes: number) {
    this.#comm = comm;
    this.#pieceBytes = pieceBytes;
    this.#context = comm.context;
    this.#transfers = this.#context.stream();
    this.#moves = this.#context.stream();
    this.#order = this.#context.event();
  }

  /** Sends elements, packed in staging where they do not lie side by side. */
  send(placed: Placed, staging: StagingBuffer | undefined): Completion {
    this.turn++;
    const { type, buffer, originBytes, count, sizeBytes } = placed;
    const pieces = piecesOf(sizeBytes, this.#pieceBytes);
    const moves = pieces.length > 1 ? this.#moves : this.#transfers;
    this.#after(this.#context.foreignStream(0), moves);
    for (const { first, length } of pieces) {
      if (staging !== undefined) {
        const source = { memory: buffer, originBytes };
        pack(type, source, packedAt(staging), { count, first, length, queue: moves });
      }
      if (moves !== this.#transfers) this.#after(moves, this.#transfers);
      const address = addressIn(placed, staging) + first;
      this.#comm.exchange(this.#transfers, [{ act: "send", peer: RECEIVER, address, sizeBytes: length }]);
    }
    return this.#endOf(this.#transfers);
  }

  /** Receives so many packed bytes, by way of staging where elements do not lie side by side. */
  receive(placed: Placed, arrivedBytes: number, staging: StagingBuffer | undefined): Completion {
    this.turn++;
    const { type, buffer, originBytes, count } = placed;
    const pieces = piecesOf(arrivedBytes, this.#pieceBytes);
    const moves = pieces.length > 1 ? this.#moves : this.#transfers;
    this.#after(this.#context.foreignStream(0), this.#transfers);
    for (const { first, length } of pieces) {
      const address = addressIn(placed, staging) + first;
      this.#comm.exchange(this.#transfers, [{ act: "receive", peer: SENDER, address, sizeBytes: length }]);
      if (staging === undefined) continue;
      if (moves !== this.#transfers) this.#after(this.#transfers, moves);
      unpack(type, packedAt(staging), { memory: buffer, originBytes }, { count, first, length, queue: moves });
    }
    return this.#endOf(staging === undefined ? this.#transfers : moves);
  }

  /** A byte there: NCCL joins two GPUs as the first message goes, and waits meanwhile, which no later one may do. */
  connect(isSender: boolean): void {
    using memory = this.#context.deviceMemory(1);
    const [act, peer] = isSender ? (["send", RECEIVER] as const) : (["receive", SENDER] as const);
    this.#comm.exchange(this.#transfers, [{ act, peer, address: memory.address, sizeBytes: 1 }]);
    this.#transfers.synchronize();
  }

  /** Throws an NcclError where what is under way can never end. */
  requireHealth(): void {
    this.#comm.requireHealth();
  }

  /** What is under way on this GPU ends. */
  abort(): void {
    this.#comm.abort();
  }

  [Symbol.dispose](): void {
    this.#comm[Symbol.dispose]();
    for (const held of [this.#transfers, this.#moves, this.#order]) held[Symbol.dispose]();
  }

  #after(earlier: Parameters<Event["record"]>[0], later: Parameters<Event["holdUp"]>[0]): void {
    this.#order.record(earlier);
    this.#order.holdUp(later);
  }

  #endOf(stream: OwnStream): Completion {
    const event = this.#context.event();
    event.record(stream);
    const over = (): void => event[Symbol.dispose]();
    return {
      poll() {
        const isOver = event.query();
        if (isOver) over();
        return isOver;
      },
      wait() {
        event.synchronize();
        over();
      },
    };
  }
}

export const packedAt = ({ memory }: StagingBuffer) => ({ memory: memory as Buffer, originBytes: 0 });

const addressIn = ({ address, type }: Placed, staging: StagingBuffer | undefined): number =>
  staging?.address ?? address + type.layout.trueLowerBoundBytes;
