import type { Context, StreamHandle } from "@stowage/cuda-driver";
import type { Libnccl } from "./calls.js";
import { check } from "./check.js";
import { NcclError } from "./nccl-error.js";

/** Bytes that go to a rank or come from it, in the memory of the communicator's GPU. */
export interface Transfer {
  readonly act: "send" | "receive";
  /** The rank that they go to or come from. */
  readonly peer: number;
  /** The device address of the first byte. */
  readonly address: number;
  readonly sizeBytes: number;
}

/** ncclInt8: counts are bytes. */
const BYTE = 0;

/**
 * Ranks with a GPU each, and messages among them in the order of streams. Messages carry no tags: between two ranks
 * those of a communicator match in the order in which both sent them to their streams. A message that waits for its
 * peer holds up what comes behind it in its stream, and whatever waits for the whole device. Calls throw an NcclError
 * once it has ended.
 */
export class NcclCommunicator implements Disposable {
  /** The context of this rank's GPU. */
  readonly context: Context;
  /** This rank, from 0 to size - 1. */
  readonly rank: number;
  /** How many ranks there are. */
  readonly size: number;
  readonly #libnccl: Libnccl;
  readonly #asyncResult = new Int32Array(1);
  #handle: number | undefined;

  constructor(libnccl: Libnccl, context: Context, handle: number, { rank, size }: { rank: number; size: number }) {
    this.#libnccl = libnccl;
    this.context = context;
    this.#handle = handle;
    this.rank = rank;
    this.size = size;
  }

  /**
   * Sends all transfers to a stream as one group (ncclGroupStart, ncclGroupEnd): they make progress together, whatever
   * their order. Those of no bytes are left out, on both sides. Throws an NcclError.
   */
  exchange(stream: StreamHandle, transfers: Iterable<Transfer>): void {
    const handle = this.#inUse;
    const { ncclGroupStart, ncclGroupEnd, ncclSend, ncclRecv } = this.#libnccl;
    this.context.enter();
    check(this.#libnccl, "ncclGroupStart", ncclGroupStart());
    try {
      for (const { act, peer, address, sizeBytes } of transfers) {
        if (sizeBytes === 0) continue;
        const [name, call] = act === "send" ? (["ncclSend", ncclSend] as const) : (["ncclRecv", ncclRecv] as const);
        check(this.#libnccl, name, call(address, sizeBytes, BYTE, peer, handle, stream.handle));
      }
    } finally {
      check(this.#libnccl, "ncclGroupEnd", ncclGroupEnd());
    }
  }

  /** Throws an NcclError where a transfer under way has failed, as of a rank that is gone. */
  requireHealth(): void {
    const handle = this.#inUse;
    check(this.#libnccl, "ncclCommGetAsyncError", this.#libnccl.ncclCommGetAsyncError(handle, this.#asyncResult));
    check(this.#libnccl, "transfer", this.#asyncResult[0] as number);
  }

  /**
   * Ends the communicator at once (ncclCommAbort): what is under way on this rank's GPU ends too, whatever peers do.
   */
  abort(): void {
    const handle = this.#handle;
    if (handle === undefined) return;
    this.#handle = undefined;
    check(this.#libnccl, "ncclCommAbort", this.#libnccl.ncclCommAbort(handle));
  }

  /**
   * Ends the communicator (ncclCommDestroy): returns once what this rank sent to streams is over, and where NCCL asks
   * for it the other ranks have ended theirs. All ranks do it, several communicators in one order.
   */
  [Symbol.dispose](): void {
    const handle = this.#handle;
    if (handle === undefined) return;
    this.#handle = undefined;
    if (this.context.disposed) return;
    this.context.enter();
    check(this.#libnccl, "ncclCommDestroy", this.#libnccl.ncclCommDestroy(handle));
  }

  get #inUse(): number {
    if (this.#handle !== undefined) return this.#handle;
    throw new NcclError("communicator of NCCL", "expected one in use, got one that was ended");
  }
}
