import type { Message } from "../../message/place/message.js";
import { BridgeError } from "../../errors.js";
import type { Request, WaitOptions } from "../../message/requests/request.js";
import type { Status } from "../../message/requests/status.js";

/** A message that mprobe took out: received once, by its holder (MPI 4.1, section 3.8.2). */
export class MatchedMessage {
  /** The message's source, tag and size. */
  readonly status: Status;
  readonly #begin: (into: Message) => Request;
  #received = false;

  /** @internal `begin` begins to receive it. */
  constructor(status: Status, begin: (into: Message) => Request) {
    this.status = status;
    this.#begin = begin;
  }

  /** Receives the message (MPI_Mrecv). Throws a BridgeError where it was received already. */
  recv(into: Message, options: WaitOptions = {}): Status {
    return this.irecv(into).wait(options);
  }

  /** Begins to receive the message (MPI_Imrecv). Throws a BridgeError where it was received already. */
  irecv(into: Message): Request {
    if (this.#received) throw new BridgeError("message of mprobe", "one to be received", "one that was");
    const request = this.#begin(into);
    this.#received = true;
    return request;
  }
}
