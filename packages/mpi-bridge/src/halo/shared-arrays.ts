import type { Buffer } from "@stowage/backend-api";
import type { Communicator } from "../communicator/communicator.js";
import { lineOf } from "../direct/line-of.js";
import { OFFER_BYTES, readOffer, writeOffer, type Offer } from "../direct/offer.js";
import { BridgeError } from "../errors.js";
import { sizesOf } from "./halo-agreement.js";
import type { Halo } from "./halo-options.js";

/** What a rank says of its array: why it cannot share it, or the handle by which others open it. */
const REASON_BYTES = 200;
const SAID_BYTES = REASON_BYTES + OFFER_BYTES;
const NO_TEXT = new Uint8Array(0);
const [ENCODER, DECODER] = [new TextEncoder(), new TextDecoder()];

/** The arrays of all ranks, as their neighbours reach them. */
export class SharedArrays {
  readonly #facts: Float64Array;
  readonly #said: Uint8Array;

  /** All ranks call it, with what all said of their options. */
  constructor(comm: Communicator, halo: Halo, facts: Float64Array) {
    this.#facts = facts;
    this.#said = new Uint8Array(SAID_BYTES * comm.size);
    comm.allgather(said(comm, halo), this.#said);
  }

  /** Throws a BridgeError where that rank cannot share its array, or is on another host. */
  of(rank: number): { readonly offer: Offer; readonly sizes: readonly number[] } {
    const own = this.#said.subarray(rank * SAID_BYTES, (rank + 1) * SAID_BYTES);
    const reason = DECODER.decode(own.subarray(0, REASON_BYTES)).replace(/\0.*$/s, "");
    if (reason !== "") throw new BridgeError("halo exchange: array", `one that rank ${rank} can share`, reason);
    return { offer: readOffer(own, REASON_BYTES), sizes: sizesOf(this.#facts, rank) };
  }
}

function said(comm: Communicator, { span }: Halo): Uint8Array {
  const bytes = new Uint8Array(SAID_BYTES);
  try {
    const { devices } = comm.shared;
    const memory = span.memory as Buffer;
    const { context } = devices.of(memory);
    const shared = devices.shared.of(memory, context);
    const originBytes = (memory.address as number) - shared.startAddress + span.originBytes;
    writeOffer(bytes, REASON_BYTES, { ...shared, gpu: context.device.uuid, originBytes, count: 1 }, NO_TEXT);
  } catch (error) {
    ENCODER.encodeInto(lineOf(error), bytes.subarray(0, REASON_BYTES));
  }
  return bytes;
}
