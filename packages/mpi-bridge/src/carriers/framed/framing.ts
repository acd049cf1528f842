import type { Message } from "../../message/place/message.js";
import type { Placed } from "../../message/place/placed.js";
import { ANY_SOURCE, ANY_TAG, PROC_NULL, rankOf, tagOf } from "../../constants.js";
import { handleList } from "../../native/words.js";
import type { Hints } from "../../message/datatype/hints.js";
import { PersistentRequest } from "../../message/requests/persistent-request.js";
import type { Task } from "../../message/requests/progress.js";
import { Request, requestCell, type Ending, type Steps } from "../../message/requests/request.js";
import { readStatus, Status } from "../../message/requests/status.js";
import type { Context } from "../../message/context.js";
import type { Addressed, Sending } from "../carrier.js";
import type { MemberCarriers } from "../chooser.js";
import { NO_OFFER, readFrame } from "./frame.js";
import { FramedReceive, type Arrived } from "./framed-receive.js";
import type { FramingOptions } from "./framing-options.js";
import { MatchedMessage } from "./matched-message.js";
import { NO_SIGNATURE, sentSignature } from "./sent-signature.js";
import { MOST_CHAIN, Wire } from "./wire.js";

/**
 * Messages that begin with a frame, for a communicator of which all ranks agreed to it. The first message holds the
 * frame and the first bytes; later chunks follow on a communicator of their own, under a tag that the frame names, so
 * that wildcards, order and probes see one message.
 */
export class Framing {
  readonly carriers: MemberCarriers;
  readonly #context: Context;
  readonly #wire: Wire;
  /** Messages that probes took out, in their order. */
  readonly #arrived: Arrived[] = [];
  #chain = 0;

  constructor(context: Context, options: FramingOptions, messages: number, chunks: number, carriers: MemberCarriers) {
    this.#context = context;
    this.carriers = carriers;
    this.#wire = new Wire(context, options, messages, chunks);
  }

  isend(call: Addressed["call"], placed: Placed, dest: number, tag: number, hints: Hints): Request {
    return new Request(this.#context, requestCell(this.#context), this.#sending(call, placed, dest, tag, hints));
  }

  irecv(placed: Placed, source: number, tag: number): Request {
    return new Request(this.#context, requestCell(this.#context), this.#receiving(placed, source, tag));
  }

  sendInit(call: Addressed["call"], placed: Placed, dest: number, tag: number, hints: Hints): PersistentRequest {
    return this.#persistent(this.#sending(call, placed, dest, tag, hints));
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

  /** Whether elements may go from GPU to GPU: the same on all ranks, which agreed on it. */
  get reachesDevices(): boolean {
    return this.#wire.options.devices !== "staged";
  }

  /** A framing with these carriers and options for messages of another communicator of these ranks. */
  of(messages: number, chunks: number): Framing {
    return new Framing(this.#context, this.#wire.options, messages, chunks, this.carriers);
  }

  /** Ends with its communicator. */
  free(): void {
    const cell = handleList(this.#context.native.mpi, 0);
    cell.set(0, this.#wire.chunks);
    this.#context.native.call("MPI_Comm_free", cell.address);
  }

  #persistent(ending: Ending): PersistentRequest {
    return new PersistentRequest(this.#context, requestCell(this.#context), ending, undefined);
  }

  #sending(call: Addressed["call"], placed: Placed, dest: number, tag: number, hints: Hints): Ending {
    const begin = (): Steps => {
      if (dest === PROC_NULL) return NOBODY;
      const outgoing = { placed, peer: dest, use: "begun" } as const;
      const { carrier, form } = this.carriers.choose(outgoing, hints);
      const chain = (this.#chain = (this.#chain + 1) % MOST_CHAIN);
      const signature = this.#wire.options.checksSignatures ? sentSignature(placed) : NO_SIGNATURE;
      const frame = { sizeBytes: placed.sizeBytes, chain, offer: NO_OFFER, signature };
      const place = this.carriers.all.indexOf(carrier);
      const [sending] = carrier.begin([{ ...outgoing, form, tag, call, frame, place }], this.#wire);
      return this.#started(sending as Sending);
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
      const { all } = this.carriers;
      const receive = new FramedReceive(this.#wire, all, placed, source, tag, subject, arrived);
      arrived?.buffer.home.give(arrived.buffer);
      return this.#started(receive);
    };
    return { subject, cancellable: true, begin, ...held(placed) };
  }

  #started<T extends Task>(task: T): T {
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
    const [rank, asked] = [rankOf(source, native.constants), tagOf(tag, native.constants)];
    const { out, status } = native;
    native.call("MPI_Improbe", rank, asked, this.#wire.messages, out.address, cell.address, status.address);
    if (out.values[0] === 0) {
      cells.give(cell);
      return undefined;
    }
    const told = readStatus(status.values, 0, native.constants);
    const buffer = staging.take(told.sizeBytes);
    this.#wire.receiveMatched(buffer, told.sizeBytes, cell);
    const arrived = { status: told, buffer, frame: readFrame(buffer.bytes, told.sizeBytes, "probe") };
    this.#arrived.push(arrived);
    return arrived;
  }
}

/** Whether a receive from that source with that tag matches it. MPI 4.1, section 3.2.4. */
const matches = ({ status }: Arrived, source: number, tag: number): boolean =>
  (source === ANY_SOURCE || source === status.source) && (tag === ANY_TAG || tag === status.tag);

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
