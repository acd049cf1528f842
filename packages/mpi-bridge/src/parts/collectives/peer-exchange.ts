import { quoted } from "@stowage/ir";
import type { Message } from "../../message/place/message.js";
import { BridgeError } from "../../errors.js";
import type { Request, Steps } from "../../message/requests/request.js";
import { Status } from "../../message/requests/status.js";
import type { PointToPoint } from "../point-to-point/point-to-point.js";

/** Messages that go to some ranks, or come from them, by their ranks; each message has a datatype of its own. */
export type PeerMessages = ReadonlyMap<number, Message>;

/** What begins messages. */
export type Sender = Pick<PointToPoint, "isend" | "irecv">;

const TAG = 0;

/**
 * An alltoallw of which each rank names its peers alone: messages between peers, over a communicator that carries
 * nothing else. It costs O(peers), where MPI_Alltoallw reads four lists of all ranks (paper: Balaji et al. 2010,
 * section 3.10).
 */
export class PeerExchange implements Steps {
  readonly #requests: readonly Request[];
  #at = 0;

  constructor(comm: Sender, sent: PeerMessages, received: PeerMessages) {
    requirePeers("sent", sent);
    requirePeers("received", received);
    const requests: Request[] = [];
    this.#requests = requests;
    try {
      for (const [rank, message] of received) requests.push(comm.irecv(message, rank, { tag: TAG }));
      for (const [rank, message] of sent) requests.push(comm.isend(message, rank, { tag: TAG }));
    } catch (error) {
      this.cancel();
      throw error;
    }
  }

  get isOver(): boolean {
    while (this.#at < this.#requests.length && this.#requests[this.#at]?.peek() === true) this.#at++;
    return this.#at === this.#requests.length;
  }

  /** Its end; throws the first error of a message, once all are over. */
  poll(): Status | undefined {
    if (!this.isOver) return undefined;
    let [failed, bytes]: [unknown, number] = [undefined, 0];
    for (const request of this.#requests) {
      try {
        bytes += request.wait().sizeBytes;
      } catch (error) {
        failed ??= error;
      }
    }
    if (failed !== undefined) throw failed as Error;
    return new Status(-1, -1, bytes);
  }

  /** Receives end at once; what was sent is under way until its peers take it. */
  cancel(): void {
    for (const request of this.#requests) if (request.isActive && request.isCancellable) request.cancel();
  }
}

function requirePeers(what: string, messages: PeerMessages): void {
  if (!(messages instanceof Map))
    throw new BridgeError(`messages ${what}`, "a map of ranks to messages", quoted(messages));
  for (const rank of messages.keys()) {
    if (!Number.isInteger(rank) || rank < 0) throw new BridgeError(`peer of messages ${what}`, "a rank", quoted(rank));
  }
}
