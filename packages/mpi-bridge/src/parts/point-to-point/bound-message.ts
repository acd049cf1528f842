import { isThere, type Placed } from "../../message/place/placed.js";
import type { Transfer } from "../../message/place/transfer.js";
import { rankOf, tagOf } from "../../constants.js";
import { BridgeError } from "../../errors.js";
import type { CallName } from "../../native/prototypes.js";
import { readStatus, type Status } from "../../message/requests/status.js";
import type { Context } from "../../message/context.js";

/**
 * A blocking message of which everything was looked at once: where its elements lie, its partner, its tag. A call then
 * makes one call of MPI (paper: Balaji et al. 2010, section 3.9). Elements lie side by side; scattered ones have
 * `sendInit` and `recvInit`.
 */
class BoundMessage {
  protected readonly context: Context;
  readonly #placed: Placed;
  /** Packs and unpacks what lies in a device's memory. */
  protected readonly transfer: Transfer | undefined;
  readonly #name: CallName;
  readonly #entry: number;
  readonly #arguments: readonly [address: number, count: number, type: number, peer: number, tag: number, comm: number];

  /** @internal */
  constructor(
    context: Context,
    name: "MPI_Send" | "MPI_Recv",
    placed: Placed,
    peer: number,
    tag: number,
    comm: number,
    transfer: Transfer | undefined,
  ) {
    const { dense } = placed.type;
    if (dense === undefined) throw new BridgeError("bound message", "elements side by side", "scattered ones");
    this.context = context;
    this.#placed = placed;
    this.#name = name;
    this.#entry = name === "MPI_Send" ? context.entries.send : context.entries.recv;
    const rank = rankOf(peer, context.native.constants);
    this.transfer = transfer;
    const { address, count, handle } = transfer ?? {
      address: placed.address,
      count: placed.count * dense.perElement,
      handle: dense.handle,
    };
    this.#arguments = [address, count, handle, rank, tagOf(tag, context.native.constants), comm];
  }

  /** @internal A buffer may be given away, and MPI end, at any time: that alone is looked at each time. */
  protected run(status: number): void {
    const { native } = this.context;
    native.requireRunning(this.#name);
    if (!isThere(this.#placed)) throw new BridgeError("bound message", "memory of its own", "a detached buffer");
    const [address, count, type, peer, tag, comm] = this.#arguments;
    const code = native.launch(this.#entry, address, count, type, peer, tag, comm, status);
    if (code !== 0) native.check(this.#name, code);
  }
}

/** A blocking send whose message, partner and tag are bound; made by `Communicator.bindSend`. */
export class BoundSend extends BoundMessage {
  /**
   * Sends the elements that the buffer holds now; returns once it may be overwritten (MPI_Send). Throws a BridgeError
   * where the buffer was detached or MPI has ended, an MpiError where MPI refuses.
   */
  send(): void {
    this.transfer?.pack()?.wait();
    this.run(0);
  }
}

/** A blocking receive whose buffer, partner and tag are bound; made by `Communicator.bindRecv`. */
export class BoundRecv extends BoundMessage {
  /** Receives a message (MPI_Recv). Throws as `BoundSend.send` does. */
  recv(): Status {
    const { status, constants } = this.context.native;
    this.run(status.address);
    const told = readStatus(status.values, 0, constants);
    this.transfer?.unpack(told.sizeBytes)?.wait();
    return told;
  }
}
