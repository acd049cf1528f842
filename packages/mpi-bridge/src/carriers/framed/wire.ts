import { predefinedHandle } from "@stowage/mpi-abi";
import type { StagingBuffer } from "../../message/place/staging.js";
import { rankOf, tagOf } from "../../constants.js";
import type { HandleList } from "../../native/words.js";
import { requestCell } from "../../message/requests/request.js";
import type { Context } from "../../message/context.js";
import { Fragment } from "./fragment.js";
import type { FramingOptions } from "./framing-options.js";

/**
 * MPI_TAG_UB is at least 32,767 (MPI 4.1, section 9.1.2): a third for chunks, one for answers to offers, one for notes
 * behind these.
 */
export const MOST_CHAIN = 10_922;

/** The two communicators of framed messages: one for the first message of each, one for the chunks after it. */
export class Wire {
  readonly context: Context;
  readonly options: FramingOptions;
  /** MPI_Comm of first messages: what users send by. */
  readonly messages: number;
  /** MPI_Comm of later chunks: no receive of a user's can match them. */
  readonly chunks: number;
  readonly #bytesHandle: number;

  constructor(context: Context, options: FramingOptions, messages: number, chunks: number) {
    this.context = context;
    this.options = options;
    this.messages = messages;
    this.chunks = chunks;
    this.#bytesHandle = predefinedHandle(context.native.mpi, "MPI_PACKED");
  }

  /** The tag of the answer to an offer, on the communicator of chunks. */
  answerTag(chain: number): number {
    return MOST_CHAIN + chain;
  }

  /** The tag of what a sender tells behind the answer. */
  noteTag(chain: number): number {
    return 2 * MOST_CHAIN + chain;
  }

  /** Begins to send so many bytes. */
  send(
    call: "MPI_Isend" | "MPI_Issend",
    comm: number,
    address: number,
    bytes: number,
    peer: number,
    tag: number,
    staging: StagingBuffer | undefined,
  ): Fragment {
    const { entries } = this.context;
    const entry = call === "MPI_Isend" ? entries.isend : entries.issend;
    return this.#begun(call, entry, comm, address, bytes, peer, tag, staging);
  }

  /** Begins to receive at most so many. */
  receive(
    comm: number,
    address: number,
    bytes: number,
    peer: number,
    tag: number,
    staging: StagingBuffer | undefined,
  ): Fragment {
    return this.#begun("MPI_Irecv", this.context.entries.irecv, comm, address, bytes, peer, tag, staging);
  }

  /** Receives a message that a probe took out: it is there, so that this does not wait for its sender for long. */
  receiveMatched(buffer: StagingBuffer, bytes: number, message: HandleList): void {
    const { native } = this.context;
    const request = requestCell(this.context);
    native.call("MPI_Imrecv", buffer.address, bytes, this.#bytesHandle, message.address, request.address);
    native.call("MPI_Wait", request.address, native.status.address);
    this.context.cells.give(message);
    this.context.cells.give(request);
  }

  #begun(
    call: "MPI_Isend" | "MPI_Issend" | "MPI_Irecv",
    entry: number,
    comm: number,
    address: number,
    bytes: number,
    peer: number,
    tag: number,
    staging: StagingBuffer | undefined,
  ): Fragment {
    const { native } = this.context;
    const [rank, asked] = [rankOf(peer, native.constants), tagOf(tag, native.constants)];
    return new Fragment(this.context, staging, (cell) =>
      native.check(call, native.launch(entry, address, bytes, this.#bytesHandle, rank, asked, comm, cell)),
    );
  }
}
