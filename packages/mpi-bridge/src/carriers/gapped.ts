import { SUPPORTED, unsupported, type Support } from "@stowage/backend-api";
import type { Context } from "../message/context.js";
import { MOST_INT } from "../message/datatype/large-datatype.js";
import { packFigures } from "../message/datatype/pack-figures.js";
import { isOnHost } from "../message/place/placed.js";
import { transfersOf, type Transfer } from "../message/place/transfer.js";
import type { Outgoing, PlainCarrier, Prediction } from "./carrier.js";
import { hostMessageNs, oneForm } from "./figures.js";

/** Shorter packed messages are copied at once by any MPI, or nearly so. */
const LEAST_BYTES = 16 * 1024;

/** Two blocks cost their MPI a type; whether it moves them faster in turn, messages alone tell. */
const GAP_NS = 100;

/** Packed, and shown to the MPI as two blocks with a gap between: what has a gap it may copy on both sides at once. */
export class Gapped implements PlainCarrier {
  readonly name = "gapped";
  readonly receivers = "any";
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  supports(messages: readonly Outgoing[]): Support {
    for (const { placed, use } of messages) {
      const { type, sizeBytes } = placed;
      if (use === "collective") return unsupported("a collective cuts messages between elements");
      if (!isOnHost(placed)) return unsupported("its elements lie in a device's memory");
      if (type.dense !== undefined) return unsupported("its elements lie side by side");
      if (type.needsNative) return unsupported("this MPI receives packed bytes wrongly into such elements");
      if (sizeBytes < LEAST_BYTES || sizeBytes > MOST_INT)
        return unsupported(`it is not of ${LEAST_BYTES} to ${MOST_INT} bytes`);
    }
    return SUPPORTED;
  }

  predict(messages: readonly Outgoing[]): Prediction {
    return oneForm(this.name, "ours", messages, ({ placed }) => ({
      packNs: isOnHost(placed) ? packFigures(this.#context, placed).packedNs : 0,
      messageNs: hostMessageNs(placed.sizeBytes) + GAP_NS,
    }));
  }

  shown(): "gapped" {
    return "gapped";
  }

  begin(messages: readonly Outgoing[]): readonly Transfer[] {
    return transfersOf(this.#context, messages, "gapped");
  }
}
