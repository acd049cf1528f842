import type { Message } from "../../message/place/message.js";
import { Request, requestCell, WAIT_OPTIONS, type WaitOptions } from "../../message/requests/request.js";
import { IN_PLACE } from "../../constants.js";
import { givenOptions } from "../../option-rules.js";
import type { Endpoint } from "../endpoint.js";
import type { Neighbours } from "../topology/neighbours.js";
import { CollectiveArguments } from "./collective-arguments.js";
import { CollectiveCalls } from "./collective.js";
import { messagesOf, typedMessagesOf } from "./parts-as-messages.js";
import { PeerExchange, type PeerMessages, type Sender } from "./peer-exchange.js";
import type { Given, InPlace, Parts, TypedParts } from "./collective-buffers.js";
import { DenseExchange } from "./dense-exchange.js";

/** A communicator that carries exchanges with peers. */
type Peers = Sender & { free(): void };

/**
 * Collectives (MPI 4.1, chapter 6), each as a call that blocks and as one that begins, named with an i. All ranks call
 * them in the same order. Of buffers that only the root needs, others give none.
 */
export class Collectives {
  readonly #endpoint: Endpoint;
  readonly #calls: CollectiveCalls;
  readonly #arguments: CollectiveArguments;
  /** Of this rank's blocking exchanges; made by the first one. */
  #dense: DenseExchange | undefined;
  readonly #openPeers: () => Peers;
  /** Carries exchanges with peers; made by the first one. */
  #peers: Peers | undefined;

  /** `openPeers` makes a communicator of the same ranks, whose messages may go by the same carriers. */
  constructor(endpoint: Endpoint, neighbours: () => Neighbours, openPeers: () => Peers) {
    this.#endpoint = endpoint;
    this.#calls = new CollectiveCalls(endpoint);
    this.#arguments = new CollectiveArguments(endpoint, neighbours);
    this.#openPeers = openPeers;
  }

  barrier(): void {
    this.#calls.run({ name: "MPI_Barrier", args: [], sides: [] });
  }

  ibarrier(): Request {
    return this.#calls.begin({ name: "MPI_Barrier", args: [], sides: [] });
  }

  bcast(message: Message, root = 0): void {
    this.#calls.run(this.#arguments.bcastOf(message, root));
  }

  ibcast(message: Message, root = 0): Request {
    return this.#calls.begin(this.#arguments.bcastOf(message, root));
  }

  gather(sent: Given, received?: Message, root = 0): void {
    this.#calls.run(this.#arguments.gatherOf(sent, received, root));
  }

  igather(sent: Given, received?: Message, root = 0): Request {
    return this.#calls.begin(this.#arguments.gatherOf(sent, received, root));
  }

  gatherv(sent: Given, received?: Parts, root = 0): void {
    this.#calls.run(this.#arguments.gathervOf(sent, received, root));
  }

  igatherv(sent: Given, received?: Parts, root = 0): Request {
    return this.#calls.begin(this.#arguments.gathervOf(sent, received, root));
  }

  scatter(sent: Message | undefined, received: Given, root = 0): void {
    this.#calls.run(this.#arguments.scatterOf(sent, received, root));
  }

  iscatter(sent: Message | undefined, received: Given, root = 0): Request {
    return this.#calls.begin(this.#arguments.scatterOf(sent, received, root));
  }

  scatterv(sent: Parts | undefined, received: Given, root = 0): void {
    this.#calls.run(this.#arguments.scattervOf(sent, received, root));
  }

  iscatterv(sent: Parts | undefined, received: Given, root = 0): Request {
    return this.#calls.begin(this.#arguments.scattervOf(sent, received, root));
  }

  allgather(sent: Given, received: Message): void {
    this.#calls.run(this.#arguments.exchange("MPI_Allgather", sent, 1, received, this.#endpoint.size));
  }

  iallgather(sent: Given, received: Message): Request {
    return this.#calls.begin(this.#arguments.exchange("MPI_Allgather", sent, 1, received, this.#endpoint.size));
  }

  allgatherv(sent: Given, received: Parts): void {
    this.#calls.run(this.#arguments.oneToParts("MPI_Allgatherv", sent, received, this.#endpoint.size));
  }

  iallgatherv(sent: Given, received: Parts): Request {
    return this.#calls.begin(this.#arguments.oneToParts("MPI_Allgatherv", sent, received, this.#endpoint.size));
  }

  alltoall(sent: Given, received: Message): void {
    this.#calls.run(this.#arguments.exchange("MPI_Alltoall", sent, this.#endpoint.size, received, this.#endpoint.size));
  }

  ialltoall(sent: Given, received: Message): Request {
    return this.#calls.begin(
      this.#arguments.exchange("MPI_Alltoall", sent, this.#endpoint.size, received, this.#endpoint.size),
    );
  }

  alltoallv(sent: Parts | InPlace, received: Parts): void {
    if (sent !== IN_PLACE && (this.#dense ??= new DenseExchange(this.#endpoint)).alltoallv(sent, received)) return;
    if (this.#goesByMessages(sent)) this.#endpoint.waited(this.ialltoallv(sent, received), {});
    else
      this.#calls.run(
        this.#arguments.exchangeParts("MPI_Alltoallv", sent, this.#endpoint.size, received, this.#endpoint.size),
      );
  }

  ialltoallv(sent: Parts | InPlace, received: Parts): Request {
    if (!this.#goesByMessages(sent))
      return this.#calls.begin(
        this.#arguments.exchangeParts("MPI_Alltoallv", sent, this.#endpoint.size, received, this.#endpoint.size),
      );
    const { context, size } = this.#endpoint;
    return this.ialltoallPeers(messagesOf(context, sent, size), messagesOf(context, received, size));
  }

  alltoallw(sent: TypedParts, received: TypedParts): void {
    if ((this.#dense ??= new DenseExchange(this.#endpoint)).alltoallw(sent, received)) return;
    if (this.#goesByMessages(sent)) this.#endpoint.waited(this.ialltoallw(sent, received), {});
    else
      this.#calls.run(
        this.#arguments.exchangeTyped("MPI_Alltoallw", sent, this.#endpoint.size, received, this.#endpoint.size),
      );
  }

  ialltoallw(sent: TypedParts, received: TypedParts): Request {
    if (!this.#goesByMessages(sent))
      return this.#calls.begin(
        this.#arguments.exchangeTyped("MPI_Alltoallw", sent, this.#endpoint.size, received, this.#endpoint.size),
      );
    const { context, size } = this.#endpoint;
    return this.ialltoallPeers(typedMessagesOf(context, sent, size), typedMessagesOf(context, received, size));
  }

  neighborAllgather(sent: Message, received: Message): void {
    this.#calls.run(this.#arguments.exchange("MPI_Neighbor_allgather", sent, 1, received, this.#arguments.inward()));
  }

  ineighborAllgather(sent: Message, received: Message): Request {
    return this.#calls.begin(
      this.#arguments.exchange("MPI_Neighbor_allgather", sent, 1, received, this.#arguments.inward()),
    );
  }

  neighborAllgatherv(sent: Message, received: Parts): void {
    this.#calls.run(this.#arguments.oneToParts("MPI_Neighbor_allgatherv", sent, received, this.#arguments.inward()));
  }

  ineighborAllgatherv(sent: Message, received: Parts): Request {
    return this.#calls.begin(
      this.#arguments.oneToParts("MPI_Neighbor_allgatherv", sent, received, this.#arguments.inward()),
    );
  }

  neighborAlltoall(sent: Message, received: Message): void {
    this.#calls.run(
      this.#arguments.exchange(
        "MPI_Neighbor_alltoall",
        sent,
        this.#arguments.outward(),
        received,
        this.#arguments.inward(),
      ),
    );
  }

  ineighborAlltoall(sent: Message, received: Message): Request {
    return this.#calls.begin(
      this.#arguments.exchange(
        "MPI_Neighbor_alltoall",
        sent,
        this.#arguments.outward(),
        received,
        this.#arguments.inward(),
      ),
    );
  }

  neighborAlltoallv(sent: Parts, received: Parts): void {
    this.#calls.run(
      this.#arguments.exchangeParts(
        "MPI_Neighbor_alltoallv",
        sent,
        this.#arguments.outward(),
        received,
        this.#arguments.inward(),
      ),
    );
  }

  ineighborAlltoallv(sent: Parts, received: Parts): Request {
    return this.#calls.begin(
      this.#arguments.exchangeParts(
        "MPI_Neighbor_alltoallv",
        sent,
        this.#arguments.outward(),
        received,
        this.#arguments.inward(),
      ),
    );
  }

  neighborAlltoallw(sent: TypedParts, received: TypedParts): void {
    this.#calls.run(
      this.#arguments.exchangeTyped(
        "MPI_Neighbor_alltoallw",
        sent,
        this.#arguments.outward(),
        received,
        this.#arguments.inward(),
      ),
    );
  }

  ineighborAlltoallw(sent: TypedParts, received: TypedParts): Request {
    return this.#calls.begin(
      this.#arguments.exchangeTyped(
        "MPI_Neighbor_alltoallw",
        sent,
        this.#arguments.outward(),
        received,
        this.#arguments.inward(),
      ),
    );
  }

  alltoallPeers(sent: PeerMessages, received: PeerMessages, options: WaitOptions = {}): void {
    givenOptions(options, WAIT_OPTIONS);
    this.#endpoint.waited(this.ialltoallPeers(sent, received), options);
  }

  ialltoallPeers(sent: PeerMessages, received: PeerMessages): Request {
    const exchange = new PeerExchange((this.#peers ??= this.#openPeers()), sent, received);
    const subject = `exchange with ${sent.size} and ${received.size} peers`;
    // Given up by whom nobody waits for, or over: then there is nothing to give up.
    const ending = { subject, cancellable: true, begin: () => exchange };
    return new Request(this.#endpoint.context, requestCell(this.#endpoint.context), ending);
  }

  /**
   * Where messages go from GPU to GPU, so do the parts of an alltoallv: as messages between ranks. The same on all
   * ranks: they agreed on the communicator, and must on buffers in place.
   */
  #goesByMessages<Sent extends Parts | TypedParts>(sent: Sent | InPlace): sent is Sent {
    return this.#endpoint.framing?.reachesDevices === true && sent !== IN_PLACE;
  }

  /** Ends with its communicator. */
  free(): void {
    this.#peers?.free();
  }
}
