import { IN_PLACE } from "../../constants.js";
import { givenOptions } from "../../option-rules.js";
import { Request, requestCell, WAIT_OPTIONS, type WaitOptions } from "../../message/requests/request.js";
import type { InPlace, Parts, TypedParts } from "./collective-buffers.js";
import { messagesOf, typedMessagesOf } from "./parts-as-messages.js";
import { PeerExchange, type PeerMessages } from "./peer-exchange.js";
import type { PointToPoint } from "../point-to-point/point-to-point.js";
import { Reductions } from "../reductions/reductions.js";

/** Collectives of which each rank names its peers alone. */
export abstract class PeerCollectives extends Reductions {
  /** Carries exchanges with peers; made by the first one. */
  #peers: (PointToPoint & { free(): void }) | undefined;

  /** @internal A communicator of the same ranks, whose messages may go the same ways. */
  protected abstract carrier(): PointToPoint & { free(): void };

  /**
   * From each to each of its peers, messages of their own datatypes: an alltoallw whose cost does not grow with the
   * ranks. All ranks call it, with whom they send to and receive from; empty maps for none.
   */
  alltoallPeers(sent: PeerMessages, received: PeerMessages, options: WaitOptions = {}): void {
    givenOptions(options, WAIT_OPTIONS);
    this.waited(this.ialltoallPeers(sent, received), options);
  }

  ialltoallPeers(sent: PeerMessages, received: PeerMessages): Request {
    const exchange = new PeerExchange((this.#peers ??= this.carrier()), sent, received);
    const subject = `exchange with ${sent.size} and ${received.size} peers`;
    // Given up by whom nobody waits for, or over: then there is nothing to give up.
    const ending = { subject, cancellable: true, begin: () => exchange };
    return new Request(this.context, requestCell(this.context), ending);
  }

  /** Where messages go from GPU to GPU, so do the parts of an alltoallv: as messages between ranks. */
  override alltoallv(sent: Parts | InPlace, received: Parts): void {
    if (!this.#goesByMessages(sent)) super.alltoallv(sent, received);
    else this.waited(this.ialltoallv(sent, received), {});
  }

  override ialltoallv(sent: Parts | InPlace, received: Parts): Request {
    if (!this.#goesByMessages(sent)) return super.ialltoallv(sent, received);
    const { context, size } = this;
    return this.ialltoallPeers(messagesOf(context, sent, size), messagesOf(context, received, size));
  }

  override alltoallw(sent: TypedParts, received: TypedParts): void {
    if (!this.#goesByMessages(sent)) super.alltoallw(sent, received);
    else this.waited(this.ialltoallw(sent, received), {});
  }

  override ialltoallw(sent: TypedParts, received: TypedParts): Request {
    if (!this.#goesByMessages(sent)) return super.ialltoallw(sent, received);
    const { context, size } = this;
    return this.ialltoallPeers(typedMessagesOf(context, sent, size), typedMessagesOf(context, received, size));
  }

  /** The same on all ranks: they agreed on the communicator, and must on buffers in place. */
  #goesByMessages<Sent extends Parts | TypedParts>(sent: Sent | InPlace): sent is Sent {
    return this.framing?.direct !== undefined && sent !== IN_PLACE;
  }

  /** @internal */
  protected freePeers(): void {
    this.#peers?.free();
  }
}
