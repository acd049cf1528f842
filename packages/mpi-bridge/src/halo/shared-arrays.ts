import type { Buffer } from "@stowage/backend-api";
import type { Communicator } from "../communicator/communicator.js";
import type { Offer } from "../message/devices/offer.js";
import { TOLD_BYTES, tellMemory, toldMemory } from "../carriers/ipc/told-memory.js";
import { sizesOf } from "./halo-agreement.js";
import type { Halo } from "./halo-options.js";

/** The arrays of all ranks, as their neighbours reach them. */
export class SharedArrays {
  readonly #facts: Float64Array;
  readonly #told: Uint8Array;

  /** All ranks call it, with what all said of their options. */
  constructor(comm: Communicator, { span }: Halo, facts: Float64Array) {
    this.#facts = facts;
    this.#told = new Uint8Array(TOLD_BYTES * comm.size);
    comm.allgather(tellMemory(comm.shared, span.memory as Buffer, span.originBytes), this.#told);
  }

  /** Throws a BridgeError where that rank cannot share its array, or is on another host. */
  of(rank: number): { readonly offer: Offer; readonly sizes: readonly number[] } {
    return { offer: toldMemory("halo exchange: array", this.#told, rank), sizes: sizesOf(this.#facts, rank) };
  }
}
