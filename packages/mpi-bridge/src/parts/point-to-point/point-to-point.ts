import type { Message } from "../../message/place/message.js";
import type { Placed } from "../../message/place/placed.js";
import type { Transfer } from "../../message/place/transfer.js";
import { ANY_SOURCE, ANY_TAG, PROC_NULL, rankOf, tagOf } from "../../constants.js";
import { BridgeError } from "../../errors.js";
import type { Outgoing } from "../../carriers/carrier.js";
import type { Framing } from "../../carriers/framed/framing.js";
import type { HandleList } from "../../native/words.js";
import { givenOptions } from "../../option-rules.js";
import type { CallName } from "../../native/prototypes.js";
import { PersistentRequest } from "../../message/requests/persistent-request.js";
import { Request, requestCell, type Ending } from "../../message/requests/request.js";
import { readStatus, type Status } from "../../message/requests/status.js";
import { BoundRecv, BoundSend } from "./bound-message.js";
import { giveUp, type Endpoint } from "../endpoint.js";
import { MatchedMessage } from "../../carriers/framed/matched-message.js";
import { MessageEnding } from "./message-ending.js";
import {
  MESSAGE_OPTIONS,
  SENDRECV_OPTIONS,
  type RecvOptions,
  type SendOptions,
  type SendrecvOptions,
} from "./message-options.js";

const NO_OPTIONS: SendOptions & RecvOptions = Object.freeze({});

/** Messages between two ranks of a communicator. MPI 4.1, chapter 3. */
export class PointToPoint {
  readonly #endpoint: Endpoint;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  send(message: Message, dest: number, options: SendOptions = NO_OPTIONS): void {
    this.#send("MPI_Send", this.#endpoint.context.entries.send, message, dest, options);
  }

  ssend(message: Message, dest: number, options: SendOptions = NO_OPTIONS): void {
    this.#send("MPI_Ssend", this.#endpoint.context.entries.ssend, message, dest, options);
  }

  #send(name: "MPI_Send" | "MPI_Ssend", entry: number, message: Message, dest: number, options: SendOptions): void {
    const { tag = 0 } = givenOptions(options, MESSAGE_OPTIONS);
    const placed = this.#endpoint.context.places.of(message);
    this.#endpoint.requireNumbers(name === "MPI_Send" ? "send" : "ssend", dest, tag);
    if (this.#endpoint.isSimple(placed, options)) this.#launchSend(entry, name, placed, dest, tag);
    else if (this.#endpoint.mayBlock(options)) this.#sendElements(entry, name, placed, dest, tag);
    else {
      const begun = this.#beginSend(name === "MPI_Send" ? "MPI_Isend" : "MPI_Issend", message, dest, tag);
      this.#endpoint.waited(begun, options);
    }
  }

  #launchSend(entry: number, name: CallName, placed: Placed, dest: number, tag: number): void {
    const { native } = this.#endpoint.context;
    const { handle, perElement } = placed.type.dense as { handle: number; perElement: number };
    const rank = dest >= 0 ? dest : rankOf(dest, native.constants);
    const code = native.launch(
      entry,
      placed.address,
      placed.count * perElement,
      handle,
      rank,
      tag,
      this.#endpoint.handle,
    );
    if (code !== 0) native.check(name, code);
  }

  #sendElements(entry: number, name: CallName, placed: Placed, dest: number, tag: number): void {
    const { native } = this.#endpoint.context;
    const outgoing: Outgoing = { placed, use: "call" };
    const choice = this.#endpoint.choice("send", outgoing);
    const transfer = this.#endpoint.transferBy(choice, outgoing);
    try {
      transfer.pack()?.wait();
      const { address, count, handle } = transfer;
      const rank = rankOf(dest, native.constants);
      const code = native.launch(entry, address, count, handle, rank, tag, this.#endpoint.handle);
      if (code !== 0) native.check(name, code);
    } finally {
      transfer.release();
    }
    choice.over?.();
  }

  recv(message: Message, source = ANY_SOURCE, options: RecvOptions = NO_OPTIONS): Status {
    const { tag = ANY_TAG } = givenOptions(options, MESSAGE_OPTIONS);
    const placed = this.#endpoint.context.places.of(message);
    this.#endpoint.requireNumbers("recv", source, tag);
    if (!this.#endpoint.isSimple(placed, options)) {
      if (this.#endpoint.mayBlock(options)) return this.#recvElements(placed, source, tag);
      return this.#endpoint.waited(this.irecv(message, source, options), options);
    }
    const { native } = this.#endpoint.context;
    const { handle, perElement } = placed.type.dense as { handle: number; perElement: number };
    const rank = source >= 0 ? source : rankOf(source, native.constants);
    const { address, values } = native.status;
    const items = placed.count * perElement;
    const code = native.launch(
      this.#endpoint.context.entries.recv,
      placed.address,
      items,
      handle,
      rank,
      tagOf(tag, native.constants),
      this.#endpoint.handle,
      address,
    );
    if (code !== 0) native.check("MPI_Recv", code);
    return readStatus(values, 0, native.constants);
  }

  #recvElements(placed: Placed, source: number, tag: number): Status {
    const { native, entries } = this.#endpoint.context;
    const outgoing: Outgoing = { placed, use: "call" };
    const choice = this.#endpoint.choice("recv", outgoing);
    const transfer = this.#endpoint.transferBy(choice, outgoing);
    try {
      const { address, count, handle } = transfer;
      const told = native.status;
      const [rank, asked] = [rankOf(source, native.constants), tagOf(tag, native.constants)];
      const comm = this.#endpoint.handle;
      const code = native.launch(entries.recv, address, count, handle, rank, asked, comm, told.address);
      if (code !== 0) native.check("MPI_Recv", code);
      const status = readStatus(told.values, 0, native.constants);
      transfer.unpack(status.sizeBytes)?.wait();
      choice.over?.();
      return status;
    } finally {
      transfer.release();
    }
  }

  bindSend(message: Message, dest: number, options: SendOptions = NO_OPTIONS): BoundSend {
    const { tag = 0 } = givenOptions(options, MESSAGE_OPTIONS);
    const placed = this.#bindable("send", message, dest, tag);
    const { context, handle } = this.#endpoint;
    return new BoundSend(context, "MPI_Send", placed, dest, tag, handle, this.#endpoint.transferOfDevice(placed));
  }

  bindRecv(message: Message, source = ANY_SOURCE, options: RecvOptions = NO_OPTIONS): BoundRecv {
    const { tag = ANY_TAG } = givenOptions(options, MESSAGE_OPTIONS);
    const placed = this.#bindable("recv", message, source, tag);
    const { context, handle } = this.#endpoint;
    return new BoundRecv(context, "MPI_Recv", placed, source, tag, handle, this.#endpoint.transferOfDevice(placed));
  }

  #bindable(subject: "send" | "recv", message: Message, peer: number, tag: number): Placed {
    this.#endpoint.requireNumbers(subject, peer, tag);
    if (this.#endpoint.framing === undefined) return this.#endpoint.context.places.of(message);
    const expected = "a communicator whose messages are plain";
    throw new BridgeError(`bound ${subject}`, expected, "one that was duplicated with options");
  }

  /** What is sent and what is received share no byte (MPI 4.1, section 3.10): MPICH ends the process where they do. */
  #requireApart(out: Message, into: Message): void {
    const [from, to] = [out, into].map((message) => this.#endpoint.context.places.of(message)) as [Placed, Placed];
    if (from.device !== to.device || !mustShare(from, to)) return;
    throw new BridgeError("buffers of sendrecv", "memory apart from each other", "bytes that are in both");
  }

  sendrecv(out: Message, dest: number, into: Message, source = ANY_SOURCE, options: SendrecvOptions = {}): Status {
    const { sendTag = 0, recvTag = ANY_TAG } = givenOptions(options, SENDRECV_OPTIONS);
    if (dest !== PROC_NULL && source !== PROC_NULL) this.#requireApart(out, into);
    const arriving = this.irecv(into, source, { tag: recvTag });
    try {
      const sending = this.isend(out, dest, { tag: sendTag });
      const status = this.#endpoint.waited(arriving, options);
      this.#endpoint.waited(sending, options);
      return status;
    } catch (error) {
      giveUp(arriving);
      throw error;
    }
  }

  isend(message: Message, dest: number, options: SendOptions = NO_OPTIONS): Request {
    const { tag = 0 } = givenOptions(options, MESSAGE_OPTIONS);
    return this.#beginSend("MPI_Isend", message, dest, tag);
  }

  issend(message: Message, dest: number, options: SendOptions = NO_OPTIONS): Request {
    const { tag = 0 } = givenOptions(options, MESSAGE_OPTIONS);
    return this.#beginSend("MPI_Issend", message, dest, tag);
  }

  irecv(message: Message, source = ANY_SOURCE, options: RecvOptions = NO_OPTIONS): Request {
    const { tag = ANY_TAG } = givenOptions(options, MESSAGE_OPTIONS);
    this.#endpoint.requireNumbers("recv", source, tag);
    const placed = this.#endpoint.context.places.of(message);
    if (this.#endpoint.framing !== undefined) return this.#endpoint.framing.irecv(placed, source, tag);
    const outgoing: Outgoing = { placed, use: "begun" };
    const choice = this.#endpoint.choice("irecv", outgoing);
    const transfer = this.#endpoint.transferBy(choice, outgoing);
    const ending = new MessageEnding("recv from", transfer, source, tag, choice.over);
    return this.#begin("MPI_Irecv", this.#endpoint.context.entries.irecv, transfer, source, tag, ending);
  }

  sendInit(message: Message, dest: number, options: SendOptions = NO_OPTIONS): PersistentRequest {
    const { tag = 0 } = givenOptions(options, MESSAGE_OPTIONS);
    return this.#prepare("MPI_Send_init", message, dest, tag);
  }

  ssendInit(message: Message, dest: number, options: SendOptions = NO_OPTIONS): PersistentRequest {
    const { tag = 0 } = givenOptions(options, MESSAGE_OPTIONS);
    return this.#prepare("MPI_Ssend_init", message, dest, tag);
  }

  recvInit(message: Message, source = ANY_SOURCE, options: RecvOptions = NO_OPTIONS): PersistentRequest {
    const { tag = ANY_TAG } = givenOptions(options, MESSAGE_OPTIONS);
    return this.#prepare("MPI_Recv_init", message, source, tag);
  }

  probe(source = ANY_SOURCE, options: RecvOptions = NO_OPTIONS): Status {
    givenOptions(options, MESSAGE_OPTIONS);
    return this.#endpoint.inTurns("probe", options, () => this.iprobe(source, options));
  }

  iprobe(source = ANY_SOURCE, options: RecvOptions = NO_OPTIONS): Status | undefined {
    const { tag = ANY_TAG } = givenOptions(options, MESSAGE_OPTIONS);
    this.#endpoint.requireNumbers("probe", source, tag);
    if (this.#endpoint.framing !== undefined) return this.#endpoint.framing.iprobe(source, tag);
    const { native, entries, progress } = this.#endpoint.context;
    progress.advanceTasks();
    native.requireRunning("MPI_Iprobe");
    const [rank, asked] = [rankOf(source, native.constants), tagOf(tag, native.constants)];
    const { out, status } = native;
    const code = native.launch(entries.iprobe, rank, asked, this.#endpoint.handle, out.address, status.address);
    if (code !== 0) native.check("MPI_Iprobe", code);
    return out.values[0] === 0 ? undefined : readStatus(status.values, 0, native.constants);
  }

  mprobe(source = ANY_SOURCE, options: RecvOptions = NO_OPTIONS): MatchedMessage {
    givenOptions(options, MESSAGE_OPTIONS);
    return this.#endpoint.inTurns("mprobe", options, () => this.improbe(source, options));
  }

  improbe(source = ANY_SOURCE, options: RecvOptions = NO_OPTIONS): MatchedMessage | undefined {
    const { tag = ANY_TAG } = givenOptions(options, MESSAGE_OPTIONS);
    this.#endpoint.requireNumbers("mprobe", source, tag);
    if (this.#endpoint.framing !== undefined) return this.#endpoint.framing.improbe(source, tag);
    const { native, entries, cells } = this.#endpoint.context;
    native.requireRunning("MPI_Improbe");
    const cell = cells.take();
    const rank = rankOf(source, native.constants);
    const { out, status: told } = native;
    const code = native.launch(
      entries.improbe,
      rank,
      tagOf(tag, native.constants),
      this.#endpoint.handle,
      out.address,
      cell.address,
      told.address,
    );
    if (code !== 0) native.check("MPI_Improbe", code);
    if (out.values[0] === 0) {
      cells.give(cell);
      return undefined;
    }
    const status = readStatus(native.status.values, 0, native.constants);
    return new MatchedMessage(status, (into) => this.#receiveMatched(cell, status, into));
  }

  #receiveMatched(message: HandleList, { source, tag }: Status, into: Message): Request {
    const { native, entries, cells } = this.#endpoint.context;
    const transfer = this.#endpoint.transfer(this.#endpoint.context.places.of(into));
    const cell = requestCell(this.#endpoint.context);
    const { address, count, handle } = transfer;
    const code = native.launch(entries.imrecv, address, count, handle, message.address, cell.address);
    if (code !== 0) {
      transfer.release();
      native.check("MPI_Imrecv", code);
    }
    cells.give(message);
    const ending = new MessageEnding("recv of a matched message from", transfer, source, tag);
    return new Request(this.#endpoint.context, cell, ending);
  }

  #beginSend(name: "MPI_Isend" | "MPI_Issend", message: Message, dest: number, tag: number): Request {
    this.#endpoint.requireNumbers("send", dest, tag);
    const placed = this.#endpoint.context.places.of(message);
    if (this.#endpoint.framing !== undefined)
      return this.#endpoint.framing.isend(name, placed, dest, tag, this.#endpoint.hints);
    const outgoing: Outgoing = { placed, use: "begun" };
    const choice = this.#endpoint.choice("isend", outgoing);
    const transfer = this.#endpoint.transferBy(choice, outgoing);
    const { entries } = this.#endpoint.context;
    try {
      transfer.pack()?.wait();
    } catch (error) {
      transfer.release();
      throw error;
    }
    const entry = name === "MPI_Isend" ? entries.isend : entries.issend;
    const ending = new MessageEnding("send to", transfer, dest, tag, choice.over);
    return this.#begin(name, entry, transfer, dest, tag, ending);
  }

  #begin(name: CallName, entry: number, transfer: Transfer, peer: number, tag: number, ending: Ending): Request {
    const { native } = this.#endpoint.context;
    const cell = requestCell(this.#endpoint.context);
    const { address, count, handle } = transfer;
    const [rank, asked] = [rankOf(peer, native.constants), tagOf(tag, native.constants)];
    const code = native.launch(entry, address, count, handle, rank, asked, this.#endpoint.handle, cell.address);
    if (code !== 0) {
      transfer.release();
      native.check(name, code);
    }
    return new Request(this.#endpoint.context, cell, ending);
  }

  #prepare(name: InitCall, message: Message, peer: number, tag: number): PersistentRequest {
    const isSend = name !== "MPI_Recv_init";
    this.#endpoint.requireNumbers(isSend ? "send" : "recv", peer, tag);
    const { native } = this.#endpoint.context;
    const placed = this.#endpoint.context.places.of(message);
    if (this.#endpoint.framing !== undefined)
      return this.#prepareFramed(this.#endpoint.framing, name, placed, peer, tag);
    const transfer = this.#endpoint.transfer(placed);
    const cell = requestCell(this.#endpoint.context);
    const { address, count, handle } = transfer;
    const [rank, asked] = [rankOf(peer, native.constants), tagOf(tag, native.constants)];
    native.call(name, address, count, handle, rank, asked, this.#endpoint.handle, cell.address);
    const ending = new MessageEnding(isSend ? "send to" : "recv from", transfer, peer, tag);
    return new PersistentRequest(this.#endpoint.context, cell, ending, isSend ? transfer : undefined);
  }

  #prepareFramed(framing: Framing, name: InitCall, placed: Placed, peer: number, tag: number): PersistentRequest {
    if (name === "MPI_Recv_init") return framing.recvInit(placed, peer, tag);
    return framing.sendInit(
      name === "MPI_Send_init" ? "MPI_Isend" : "MPI_Issend",
      placed,
      peer,
      tag,
      this.#endpoint.hints,
    );
  }
}

/** Runs of bytes that meet, or the same elements: others may lie in each other's gaps. */
function mustShare(a: Placed, b: Placed): boolean {
  if (a.sizeBytes === 0 || b.sizeBytes === 0) return false;
  if (a.address === b.address && a.type === b.type) return true;
  if (a.type.dense === undefined || b.type.dense === undefined) return false;
  const [first, second] = [a, b].map(({ address, type }) => address + type.layout.trueLowerBoundBytes) as [
    number,
    number,
  ];
  return first < second + b.sizeBytes && second < first + a.sizeBytes;
}

type InitCall = "MPI_Send_init" | "MPI_Ssend_init" | "MPI_Recv_init";
