import { ANY_TAG, PROC_NULL } from "../../constants.js";
import type { Transfer } from "../../message/place/transfer.js";
import type { Ending } from "../../message/requests/request.js";
import { Status } from "../../message/requests/status.js";

/** Of what an operation moves elements, and whom with. */
type Act = "send to" | "recv from" | "recv of a matched message from";

/** How a message that MPI has a request for ends. Few are asked for their subject: it is made when they are. */
export class MessageEnding implements Ending {
  readonly #act: Act;
  readonly #transfer: Transfer;
  readonly #peer: number;
  readonly #tag: number;
  readonly #over: (() => void) | undefined;

  /** `over` is told once it is. */
  constructor(act: Act, transfer: Transfer, peer: number, tag: number, over?: () => void) {
    this.#act = act;
    this.#transfer = transfer;
    this.#peer = peer;
    this.#tag = tag;
    this.#over = over;
  }

  get subject(): string {
    const tag = this.#act === "recv of a matched message from" ? "" : ` with tag ${this.#tag}`;
    return `${this.#act} ${this.#peer}${tag}`;
  }

  get cancellable(): boolean {
    return this.#act === "recv from";
  }

  hasMemory(): boolean {
    return this.#transfer.isThere;
  }

  finish(status: Status): Status {
    const told = this.#act === "send to" ? status : this.#received(status);
    this.#over?.();
    return told;
  }

  /** What arrived is unpacked, whatever was posted. */
  #received(status: Status): Status {
    // MPICH tells nothing of a receive from no partner that was begun; the standard (3.10) says what it must tell.
    if (this.#peer === PROC_NULL) return new Status(PROC_NULL, ANY_TAG, 0);
    this.#transfer.unpack(status.sizeBytes)?.wait();
    return status;
  }

  release(): void {
    this.#transfer.release();
  }
}
