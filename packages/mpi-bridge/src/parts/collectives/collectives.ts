import type { Message } from "../../message/place/message.js";
import { Request, requestCell, WAIT_OPTIONS } from "../../message/requests/request.js";
import { IN_PLACE } from "../../constants.js";
import { BridgeError } from "../../errors.js";
import { givenOptions } from "../../option-rules.js";
import type { CallName } from "../../native/prototypes.js";
import { intsOf, widesOf } from "../../native/words.js";
import type { Endpoint } from "../endpoint.js";
import type { Neighbours } from "../topology/neighbours.js";
import { Collective, type Operation } from "./collective.js";
import type { Given, InPlace, Parts, TypedParts } from "./collective-buffers.js";
import { CollectiveSides, type Placing } from "./collective-sides.js";
import { DenseExchange } from "./dense-exchange.js";
import { messagesOf, typedMessagesOf } from "./parts-as-messages.js";
import { PeerExchange, type PeerMessages, type Sender } from "./peer-exchange.js";

/** A communicator that carries exchanges with peers. */
type Peers = Sender & { free(): void };

/**
 * Collectives (MPI 4.1, chapter 6), each as an operation that is run or begun. All ranks call them in the same order.
 * Of buffers that only the root needs, others give none.
 */
export class Collectives {
  readonly #endpoint: Endpoint;
  readonly #sides: CollectiveSides;
  readonly #neighbours: () => Neighbours;
  /** This rank's blocking exchanges, of one datatype and of several; made by the first ones. */
  #dense: DenseExchange | undefined;
  #denseTyped: DenseExchange | undefined;
  readonly #openPeers: () => Peers;
  /** Carries exchanges with peers; made by the first one. */
  #peers: Peers | undefined;

  /** `openPeers` makes a communicator of the same ranks, whose messages may go by the same carriers. */
  constructor(endpoint: Endpoint, neighbours: () => Neighbours, openPeers: () => Peers) {
    this.#endpoint = endpoint;
    this.#sides = new CollectiveSides(endpoint);
    this.#neighbours = neighbours;
    this.#openPeers = openPeers;
  }

  barrier(): Operation {
    return this.#prepared("MPI_Barrier", []);
  }

  bcast(message: Message, root = 0): Operation {
    this.#endpoint.requireNumbers("bcast", root, 0);
    requireBoth("MPI_Bcast", message, message);
    const act = this.#endpoint.rank === root ? "reads" : "writes";
    return this.#prepared("MPI_Bcast", [this.#sides.even(message, act)], [root]);
  }

  gather(sent: Given, received: Message | undefined, root = 0): Operation {
    const isRoot = this.#isRoot("gather", root, received);
    requireBoth("MPI_Gather", sent, sent);
    const into = this.#sides.even(isRoot ? received : undefined, actOf(sent), this.#endpoint.size);
    return this.#prepared("MPI_Gather", [this.#sides.even(sent, "reads"), into], [root]);
  }

  gatherv(sent: Given, received: Parts | undefined, root = 0): Operation {
    const isRoot = this.#isRoot("gatherv", root, received);
    requireBoth("MPI_Gatherv", sent, sent);
    const into = this.#sides.parts(isRoot ? received : undefined, actOf(sent), this.#endpoint.size);
    return this.#prepared("MPI_Gatherv", [this.#sides.even(sent, "reads"), into], [root]);
  }

  scatter(sent: Message | undefined, received: Given, root = 0): Operation {
    const isRoot = this.#isRoot("scatter", root, sent);
    requireBoth("MPI_Scatter", received, received);
    const from = this.#sides.even(isRoot ? sent : undefined, "reads", this.#endpoint.size);
    return this.#prepared("MPI_Scatter", [from, this.#sides.even(received, "writes")], [root]);
  }

  scatterv(sent: Parts | undefined, received: Given, root = 0): Operation {
    const isRoot = this.#isRoot("scatterv", root, sent);
    requireBoth("MPI_Scatterv", received, received);
    const from = this.#sides.parts(isRoot ? sent : undefined, "reads", this.#endpoint.size);
    return this.#prepared("MPI_Scatterv", [from, this.#sides.even(received, "writes")], [root]);
  }

  allgather(sent: Given, received: Message): Operation {
    return this.#exchange("MPI_Allgather", sent, 1, received, this.#endpoint.size);
  }

  allgatherv(sent: Given, received: Parts): Operation {
    return this.#oneToParts("MPI_Allgatherv", sent, received, this.#endpoint.size);
  }

  alltoall(sent: Given, received: Message): Operation {
    const { size } = this.#endpoint;
    return this.#exchange("MPI_Alltoall", sent, size, received, size);
  }

  alltoallv(sent: Parts | InPlace, received: Parts): Operation {
    const { context, size } = this.#endpoint;
    if (!this.#goesByMessages(sent)) return this.#exchangeParts("MPI_Alltoallv", sent, size, received, size);
    return this.alltoallPeers(messagesOf(context, sent, size), messagesOf(context, received, size));
  }

  /** A blocking alltoallv: where elements lie side by side, it is one call of MPI. */
  runAlltoallv(sent: Parts | InPlace, received: Parts): void {
    this.#dense ??= new DenseExchange(this.#endpoint, "MPI_Alltoallv");
    if (sent === IN_PLACE || !this.#dense.run(sent, received)) this.alltoallv(sent, received).run();
  }

  alltoallw(sent: TypedParts, received: TypedParts): Operation {
    const { context, size } = this.#endpoint;
    if (!this.#goesByMessages(sent)) return this.#exchangeTyped("MPI_Alltoallw", sent, size, received, size);
    return this.alltoallPeers(typedMessagesOf(context, sent, size), typedMessagesOf(context, received, size));
  }

  /** A blocking alltoallw: where elements lie side by side, it is one call of MPI. */
  runAlltoallw(sent: TypedParts, received: TypedParts): void {
    this.#denseTyped ??= new DenseExchange(this.#endpoint, "MPI_Alltoallw");
    if (!this.#denseTyped.runTyped(sent, received)) this.alltoallw(sent, received).run();
  }

  neighborAllgather(sent: Message, received: Message): Operation {
    return this.#exchange("MPI_Neighbor_allgather", sent, 1, received, this.#inward());
  }

  neighborAllgatherv(sent: Message, received: Parts): Operation {
    return this.#oneToParts("MPI_Neighbor_allgatherv", sent, received, this.#inward());
  }

  neighborAlltoall(sent: Message, received: Message): Operation {
    return this.#exchange("MPI_Neighbor_alltoall", sent, this.#outward(), received, this.#inward());
  }

  neighborAlltoallv(sent: Parts, received: Parts): Operation {
    return this.#exchangeParts("MPI_Neighbor_alltoallv", sent, this.#outward(), received, this.#inward());
  }

  neighborAlltoallw(sent: TypedParts, received: TypedParts): Operation {
    return this.#exchangeTyped("MPI_Neighbor_alltoallw", sent, this.#outward(), received, this.#inward());
  }

  alltoallPeers(sent: PeerMessages, received: PeerMessages): Operation {
    const begin = (): Request => {
      const exchange = new PeerExchange((this.#peers ??= this.#openPeers()), sent, received);
      const subject = `exchange with ${sent.size} and ${received.size} peers`;
      // Given up by whom nobody waits for, or over: then there is nothing to give up.
      const ending = { subject, cancellable: true, begin: () => exchange };
      return new Request(this.#endpoint.context, requestCell(this.#endpoint.context), ending);
    };
    const run: Operation["run"] = (options = {}) => {
      givenOptions(options, WAIT_OPTIONS);
      this.#endpoint.waited(begin(), options);
    };
    return { run, begin };
  }

  /** Ends with its communicator. */
  free(): void {
    this.#peers?.free();
    this.#dense = this.#denseTyped = undefined;
  }

  /**
   * Where messages go from GPU to GPU, so do the parts of an alltoallv: as messages between ranks. The same on all
   * ranks: they agreed on the communicator, and must on buffers in place.
   */
  #goesByMessages<Sent extends Parts | TypedParts>(sent: Sent | InPlace): sent is Sent {
    return this.#endpoint.framing?.reachesDevices === true && sent !== IN_PLACE;
  }

  /** `out` equal parts sent, `inward` received. */
  #exchange(name: CallName, sent: Given, out: number, received: Message, inward: number): Operation {
    requireBoth(name, sent, received);
    return this.#prepared(name, [
      this.#sides.even(sent, "reads", out),
      this.#sides.even(received, actOf(sent), inward),
    ]);
  }

  #oneToParts(name: CallName, sent: Given, received: Parts, inward: number): Operation {
    requireBoth(name, sent, received);
    return this.#prepared(name, [this.#sides.even(sent, "reads"), this.#sides.parts(received, actOf(sent), inward)]);
  }

  #exchangeParts(name: CallName, sent: Parts | InPlace, out: number, received: Parts, inward: number): Operation {
    requireBoth(name, sent, received);
    const from = sent === IN_PLACE ? this.#sides.inPlaceParts() : this.#sides.parts(sent, "reads", out);
    return this.#prepared(name, [from, this.#sides.parts(received, actOf(sent), inward)]);
  }

  #exchangeTyped(name: CallName, sent: TypedParts, out: number, received: TypedParts, inward: number): Operation {
    requireBoth(name, sent, received);
    const tableOf = name === "MPI_Alltoallw" ? intsOf : widesOf;
    return this.#prepared(name, [
      this.#sides.typedParts(sent, "reads", out, tableOf),
      this.#sides.typedParts(received, "writes", inward, tableOf),
    ]);
  }

  #prepared(name: CallName, placings: readonly Placing[], rest: readonly number[] = []): Operation {
    const args: number[] = [];
    const sides: Placing["side"][] = [];
    for (const { args: own, side } of placings) {
      for (const each of own) args.push(each);
      sides.push(side);
    }
    for (const each of rest) args.push(each);
    return new Collective(this.#endpoint, { name, args, sides });
  }

  /** Neighbours that this rank receives from. */
  #inward(): number {
    return this.#neighbours().sources.length;
  }

  /** Neighbours that it sends to. */
  #outward(): number {
    return this.#neighbours().destinations.length;
  }

  /** Whether this rank is the root, which must have given `needed`. */
  #isRoot(subject: string, root: number, needed: unknown): boolean {
    this.#endpoint.requireNumbers(subject, root, 0);
    if (this.#endpoint.rank !== root) return false;
    if (needed === undefined || needed === null)
      throw new BridgeError(`buffer of the root of ${subject}`, "one", "none");
    return true;
  }
}

/** Every rank sends and receives: only what a root alone needs may be left out. */
function requireBoth(name: CallName, sent: unknown, received: unknown): void {
  if (sent !== undefined && received !== undefined) return;
  throw new BridgeError(`buffers of ${name}`, "one to send and one to receive into", "undefined");
}

/** What is sent in place is read from where the rest is written. */
const actOf = (sent: unknown): "writes" | "both" => (sent === IN_PLACE ? "both" : "writes");
