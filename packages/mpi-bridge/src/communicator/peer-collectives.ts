import { givenOptions } from "../option-rules.js";
import { Request, requestCell, type WaitOptions } from "../request/request.js";
import { PeerExchange, type PeerMessages } from "./peer-exchange.js";
import type { PointToPoint } from "./point-to-point.js";
import { Reductions } from "./reductions.js";

/** Collectives of which each rank names its peers alone. */
export abstract class PeerCollectives extends Reductions {
  /** Carries exchanges with peers; made by the first one. */
  #peers: (PointToPoint & { free(): void }) | undefined;

  abstract dup(): PointToPoint & { free(): void };

  /**
   * From each to each of its peers, messages of their own datatypes: an alltoallw whose cost does not grow with the ranks.
   * All ranks call it, with whom they send to and receive from; empty maps for none.
   */
  alltoallPeers(sent: PeerMessages, received: PeerMessages, options: WaitOptions = {}): void {
    givenOptions(options);
    this.waited(this.ialltoallPeers(sent, received), options);
  }

  ialltoallPeers(sent: PeerMessages, received: PeerMessages): Request {
    const exchange = new PeerExchange((this.#peers ??= this.dup()), sent, received);
    const subject = `exchange with ${sent.size} and ${received.size} peers`;
    // Given up by whom nobody waits for, or over: then there is nothing to give up.
    const ending = { subject, cancellable: true, begin: () => exchange };
    return new Request(this.context, requestCell(this.context), ending);
  }

  /** @internal */
  protected freePeers(): void {
    this.#peers?.free();
  }
}
