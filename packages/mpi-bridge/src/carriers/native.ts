import { SUPPORTED, unsupported, type Support } from "@stowage/backend-api";
import type { Context } from "../message/context.js";
import { packFigures } from "../message/datatype/pack-figures.js";
import { isOnHost, mayShrink } from "../message/place/placed.js";
import { transfersOf, type Transfer } from "../message/place/transfer.js";
import type { Outgoing, PlainCarrier, Prediction } from "./carrier.js";
import { hostMessageNs, oneForm } from "./figures.js";

/** By a type of the MPI: elements side by side as they are, others by its committed type, which it packs itself. */
export class Native implements PlainCarrier {
  readonly name = "native";
  readonly receivers = "any";
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  supports(messages: readonly Outgoing[]): Support {
    for (const { placed, use } of messages) {
      if (placed.sizeBytes === 0) continue;
      if (!isOnHost(placed)) return unsupported("its elements lie in a device's memory");
      if (use !== "call" && mayShrink(placed)) return unsupported("its memory may shrink while it is under way");
    }
    return SUPPORTED;
  }

  /** Scattered elements cost MPI_Pack on both sides, which is all that the MPI does to them beside the message. */
  predict(messages: readonly Outgoing[]): Prediction {
    return oneForm(this.name, "the MPI", messages, ({ placed }) => {
      const isPacked = placed.type.dense === undefined && isOnHost(placed) && placed.sizeBytes > 0;
      const packNs = isPacked ? packFigures(this.#context, placed).nativeNs : 0;
      return { packNs, messageNs: hostMessageNs(placed.sizeBytes) };
    });
  }

  shown(): "native" {
    return "native";
  }

  begin(messages: readonly Outgoing[]): readonly Transfer[] {
    return transfersOf(this.#context, messages, "native");
  }
}
