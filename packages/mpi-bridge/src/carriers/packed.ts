import { SUPPORTED, unsupported, type Support } from "@stowage/backend-api";
import type { Context } from "../message/context.js";
import { packFigures } from "../message/datatype/pack-figures.js";
import type { DeviceForm } from "../message/devices/device-forms.js";
import { isOnHost, mayShrink } from "../message/place/placed.js";
import type { Shown } from "../message/place/shown.js";
import { transfersOf, type Transfer } from "../message/place/transfer.js";
import { Awareness } from "./awareness.js";
import type { BoundRegions, BoundTerms } from "./bound/bound-regions.js";
import { PackedRegions } from "./bound/packed-regions.js";
import type { Regions } from "./bound/regions.js";
import type { Outgoing, PlainCarrier, Prediction } from "./carrier.js";
import { deviceForms, hostMessageNs, oneForm, predictForms } from "./figures.js";

/**
 * Packed by our engine into one run of bytes, which goes as MPI_PACKED: of elements in a device's memory into pinned
 * memory, or on the device for an MPI that takes its addresses.
 */
export class Packed implements PlainCarrier {
  readonly name = "packed";
  readonly receivers = "any";
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  supports(messages: readonly Outgoing[], terms?: BoundTerms): Support {
    for (const { placed, use, isAsked } of messages) {
      const { type, sizeBytes } = placed;
      if (sizeBytes === 0) return unsupported("it has no bytes");
      if (!isOnHost(placed) || use === "bound") continue;
      const isShown = use === "call" || !mayShrink(placed);
      if (isShown && type.dense !== undefined) return unsupported("nothing of it is to be packed");
      if (isShown && type.needsNative && isAsked !== true)
        return unsupported("this MPI receives packed bytes wrongly into such elements");
    }
    const onDevice = messages.filter(({ placed }) => !isOnHost(placed));
    if (onDevice.length > 0 && terms !== undefined && terms.pinned === undefined)
      return unsupported("there is no pinned memory for it");
    if (onDevice.length > 0 && deviceForms(this.#context, onDevice, this.#forms()).length === 0)
      return unsupported("no backend packs it (stowage doctor says why)");
    return SUPPORTED;
  }

  predict(messages: readonly Outgoing[]): Prediction {
    if (messages.some(({ placed }) => !isOnHost(placed)))
      return predictForms(this.#context, messages, this.#forms(), { onOneGpu: false });
    return oneForm(this.name, "ours", messages, ({ placed }) => {
      const isPacked = isOnHost(placed) && placed.type.dense === undefined;
      const packNs = isPacked ? packFigures(this.#context, placed).packedNs : 0;
      return { packNs, messageNs: hostMessageNs(placed.sizeBytes) };
    });
  }

  /** A list goes in one form. */
  shown(messages: readonly Outgoing[]): Shown {
    const [first] = messages;
    if (first === undefined) return "packed";
    const { placed } = first;
    if (isOnHost(placed)) return placed.type.dense !== undefined && first.use !== "collective" ? "copied" : "packed";
    return first.form === "device" ? "device" : "packed";
  }

  begin(messages: readonly Outgoing[]): readonly Transfer[] {
    return transfersOf(this.#context, messages, this.shown(messages));
  }

  bind(regions: Regions, terms: BoundTerms): () => BoundRegions {
    return () => new PackedRegions(regions, terms);
  }

  #forms(): readonly DeviceForm[] {
    const byHost = ["one-shot", "staged", "pipelined"] as const;
    return this.#context.only(Awareness).isAware ? ["device", ...byHost] : byHost;
  }
}
