import type { Message } from "../../message/place/message.js";
import type { Placed } from "../../message/place/placed.js";
import { ANY_TAG, PROC_NULL, rankOf } from "../../constants.js";
import { MatchedMessage } from "./matched-message.js";
import { handleList } from "../../native/words.js";
import { PersistentRequest } from "../../message/requests/persistent-request.js";
import { Request, requestCell, type Ending, type Steps } from "../../message/requests/request.js";
import { readStatus, Status } from "../../message/requests/status.js";
import type { Context } from "../../message/context.js";
import { matches, type Arrived } from "./arrived.js";
import { readFrame } from "./frame.js";
import { FramedReceive } from "./framed-receive.js";
import type { DirectPaths } from "../ipc/direct-paths.js";
import { DirectSend } from "../ipc/direct-send.js";
import { NcclSend } from "../nccl/nccl-send.js";
import { FramedSend } from "./framed-send.js";
import type { FramingOptions } from "./framing-options.js";
import { Lane, MOST_CHAIN } from "./lane.js";
import { NO_SIGNATURE, sentSignature } from "./sent-signature.js";

/**
 * Messages that begin with a frame, for a communicator of which all ranks agreed to it. The first message holds the
 * frame and the first bytes; later chunks follow on a communicator of their own, under a tag that the frame names, so
 * that wildcards, order and probes see one message.
 */
export class Framing {
  readonly #context: Context;
  readonly #lane: Lane;
  /** Messages that probes took out, in their order. */
  readonly #arrived: Arrived[] = [];
  #chain = 0;

  constructor(context: Context, options: FramingOptions, messages: number, chunks: number, direct?: DirectPaths) {
    this.#context = context;
    this.#lane = new Lane(context, options, messages, chunks, direct);
  }

  isend(call: "MPI_Isend" | "MPI_Issend", placed: Placed, dest: number, tag: number): Request {
    return new Request(this.#context, requestCell(this.#context), this.#sending(call, placed, dest, tag));
  }

  irecv(placed: Placed, source: number, tag: number): Request {
    return new Request(this.#context, requestCell(this.#context), this.#receiving(placed, source, tag));
  }

  sendInit(call: "MPI_Isend" | "MPI_Issend", placed: Placed, dest: number, tag: number): PersistentRequest {
    return this.#persistent(this.#sending(call, placed, dest, tag));
  }

  recvInit(placed: Placed, source: number, tag: number): PersistentRequest {
    return this.#persistent(this.#receiving(placed, source, tag));
  }

  /** The status of a whole message that could be received now. */
  iprobe(source: number, tag: number): Status | undefined {
    if (source === PROC_NULL) return NOBODY.poll();
    const found = this.#find(source, tag);
    return found && new Status(found.status.source, found.status.tag, found.frame.sizeBytes);
  }

  improbe(source: number, tag: number): MatchedMessage | undefined {
    if (source === PROC_NULL) {
      return new MatchedMessage(NO_MESSAGE, (into) => this.irecv(this.#context.places.of(into), source, tag));
    }
    const found = this.#find(source, tag);
    if (found === undefined) return undefined;
    this.#arrived.splice(this.#arrived.indexOf(found), 1);
    const { status, frame } = found;
    const told = new Status(status.source, status.tag, frame.sizeBytes);
    return new MatchedMessage(told, (into: Message) => {
      const subject = `recv of a matched message from ${status.source}`;
      const ending = this.#receivingOf(this.#context.places.of(into), status.source, status.tag, subject, found);
      return new Request(this.#context, requestCell(this.#context), ending);
    });
  }

  /** Whether elements may go from GPU to GPU, and why not to a rank that refused. */
  get direct(): DirectPaths | undefined {
    return this.#lane.direct;
  }

  /** The same ways and options for messages of another communicator of these ranks. */
  of(messages: number, chunks: number): Framing {
    return new Framing(this.#context, this.#lane.options, messages, chunks, this.direct);
  }

  /** Ends with its communicator. */
  free(): void {
    const cell = handleList(this.#context.native.mpi, 0);
    cell.set(0, this.#lane.chunks);
    this.#context.native.call("MPI_Comm_free", cell.address);
  }

  #persistent(ending: Ending): PersistentRequest {
    return new PersistentRequest(this.#context, requestCell(this.#context), ending, undefined);
  }

  #sending(call: "MPI_Isend" | "MPI_Issend", placed: Placed, dest: number, tag: number): Ending {
    const begin = (): Steps => {
      if (dest === PROC_NULL) return NOBODY;
      const chain = (this.#chain = (this.#chain + 1) % MOST_CHAIN);
      const signature = this.#lane.options.checksSignatures ? sentSignature(placed) : NO_SIGNATURE;
      const { direct } = this.#lane;
      const nccl = direct?.ncclFor(placed, dest);
      const offered = nccl === undefined ? direct?.offerFor(placed, dest) : undefined;
      const offer = nccl !== undefined ? "nccl" : offered !== undefined ? "ipc" : "none";
      const frame = { sizeBytes: placed.sizeBytes, chain, offer, signature } as const;
      if (nccl !== undefined) return this.#started(new NcclSend(this.#lane, nccl, placed, dest, tag, call, frame));
      if (offered === undefined) return this.#started(new FramedSend(this.#lane, placed, dest, frame, call, tag));
      return this.#started(new DirectSend(this.#lane, placed, dest, tag, call, frame, offered));
    };
    return { subject: `send to ${dest} with tag ${tag}`, begin, ...held(placed) };
  }

  #receiving(placed: Placed, source: number, tag: number): Ending {
    return this.#receivingOf(placed, source, tag, `recv from ${source} with tag ${tag}`, undefined);
  }

  #receivingOf(placed: Placed, source: number, tag: number, subject: string, matched: Arrived | undefined): Ending {
    const begin = (): Steps => {
      if (source === PROC_NULL) return NOBODY;
      const arrived = matched ?? this.#takeArrived(source, tag);
      const receive = new FramedReceive(this.#lane, placed, source, tag, subject, arrived);
      arrived?.buffer.home.give(arrived.buffer);
      return this.#started(receive);
    };
    return { subject, cancellable: true, begin, ...held(placed) };
  }

  #started<T extends FramedSend | DirectSend | NcclSend | FramedReceive>(task: T): T {
    if (!task.advance()) this.#context.progress.addTask(task);
    return task;
  }

  /** One that a probe took out comes before those that MPI still has. */
  #takeArrived(source: number, tag: number): Arrived | undefined {
    const at = this.#arrived.findIndex((each) => matches(each, source, tag));
    return at < 0 ? undefined : this.#arrived.splice(at, 1)[0];
  }

  #find(source: number, tag: number): Arrived | undefined {
    this.#context.progress.advanceTasks();
    return this.#arrived.find((each) => matches(each, source, tag)) ?? this.#takeOut(source, tag);
  }

  #takeOut(source: number, tag: number): Arrived | undefined {
    const { native, staging, cells } = this.#context;
    const cell = requestCell(this.#context);
    const rank = rankOf(source, native.constants);
    const { out, status } = native;
    native.call("MPI_Improbe", rank, tag, this.#lane.messages, out.address, cell.address, status.address);
    if (out.values[0] === 0) {
      cells.give(cell);
      return undefined;
    }
    const told = readStatus(status.values, 0, native.constants);
    const buffer = staging.take(told.sizeBytes);
    this.#lane.receiveMatched(buffer, told.sizeBytes, cell);
    const arrived = { status: told, buffer, frame: readFrame(buffer.bytes, told.sizeBytes, "probe") };
    this.#arrived.push(arrived);
    return arrived;
  }
}

/** To and from no partner: over at once, with the status that MPI 4.1, section 3.10, names. */
const NO_MESSAGE = new Status(PROC_NULL, ANY_TAG, 0);
const NOBODY: Steps = { isOver: true, poll: () => NO_MESSAGE };

function held({ type }: Placed): { release(): void } {
  type.hold();
  let released = false;
  return {
    release: () => {
      if (!released) type.release();
      released = true;
    },
  };
}
