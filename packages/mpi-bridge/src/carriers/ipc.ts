import { SUPPORTED, unsupported, type Buffer, type Support } from "@stowage/backend-api";
import { printDatatypeText } from "@stowage/ir";
import type { CommittedCopy } from "@stowage/selector";
import type { Context } from "../message/context.js";
import type { BridgeType } from "../message/datatype/bridge-type.js";
import { KnownTypes } from "../message/datatype/known-types.js";
import type { DeviceForm } from "../message/devices/device-forms.js";
import type { DeviceSide } from "../message/devices/device-side.js";
import { OFFER_BYTES, readOffer, writeOffer, type Offer as OfferedMemory } from "../message/devices/offer.js";
import { lineOf } from "../message/line-of.js";
import { pack } from "../message/place/pack.js";
import { isOnHost, type Placed } from "../message/place/placed.js";
import type { BoundRegions, BoundTerms } from "./bound/bound-regions.js";
import { IpcRegions, tellRegions } from "./bound/ipc-regions.js";
import type { Regions } from "./bound/regions.js";
import type { Answer } from "./framed/answer.js";
import type { Addressed, MemberCarrier, Offered, Outgoing, Prediction, Sending, Taking } from "./carrier.js";
import { ChunkedSend } from "./chunked.js";
import { deviceForms, predictForms } from "./figures.js";
import type { FramingOptions } from "./framed/framing-options.js";
import { OfferedSend, type Offer } from "./framed/offered-send.js";
import type { Wire } from "./framed/wire.js";
import { beginFetch } from "./ipc/fetch.js";
import type { Held } from "./ipc/host/arena.js";
import { HostMembers } from "./ipc/host/host-members.js";
import { writeHostOffer } from "./ipc/host/host-offer.js";
import type { Ranks } from "./ranks.js";

/** Longer texts cost more to send and to read than packing does: such elements are packed. */
const MOST_TEXT_BYTES = 512;
const NO_TEXT = new Uint8Array(0);
const FORMS: readonly DeviceForm[] = ["ipc", "ipc-packed"];
const nothing = (): void => undefined;

/** What an offer's first byte says: in whose memory the elements are, or their packed bytes. */
const [ON_DEVICE, ON_HOST] = [1, 2] as const;
/** The offer itself is behind it, at a word's boundary. */
const KIND_BYTES = 8;

/**
 * Memory of the sender that the receiver's process maps, for which an offer goes. Of a GPU (CUDA IPC): the receiver's
 * GPU fetches the elements by one kernel, as they lie or as the sender packed them, and an answer comes. Of the host:
 * the sender packs piece by piece into memory that all ranks of the host map, the receiver unpacks each as it comes,
 * and nothing is answered.
 */
export class Ipc implements MemberCarrier {
  readonly name = "ipc";
  readonly receivers = "members";
  readonly #context: Context;
  readonly #isAskedFor: boolean;
  readonly #host: HostMembers;
  readonly #types: KnownTypes;
  /** Why ranks take no more offers, by rank. */
  readonly #refusals = new Map<number, string>();
  /** Ranks of which an answer told that they use this rank's GPU. */
  readonly #onOneGpu = new Set<number>();
  readonly #texts = new WeakMap<BridgeType, Uint8Array>();
  readonly #copies = new Map<BridgeType, Map<BridgeType, CommittedCopy>>();

  constructor(context: Context, options: FramingOptions | undefined) {
    this.#context = context;
    this.#isAskedFor = options?.devices === "ipc" || options?.devices === "auto";
    this.#types = new KnownTypes(context.types);
    this.#host = new HostMembers(context);
  }

  /** Host memory needs no asking for, and no rank that lacks it is in the way. */
  meet(ranks: Ranks): undefined {
    this.#host.meet(ranks);
  }

  get learned(): number {
    return this.#refusals.size + this.#onOneGpu.size;
  }

  supports(messages: readonly Outgoing[], terms?: BoundTerms): Support {
    if (terms === undefined && messages.some(({ placed }) => isOnHost(placed))) return this.#host.supports(messages);
    if (terms?.isOneHost === false) return unsupported("its ranks are on several hosts");
    if (!this.#isAskedFor) return unsupported('its communicator was not duplicated with { devices: "ipc" }');
    for (const { placed, peer } of messages) {
      if (isOnHost(placed)) return unsupported("its elements are the host's");
      if (placed.sizeBytes === 0) return unsupported("it has no bytes");
      const refusal = peer === undefined ? undefined : this.#refusals.get(peer);
      if (refusal !== undefined) return unsupported(refusal);
    }
    return deviceForms(this.#context, messages, FORMS).length > 0 ? SUPPORTED : unsupported("no backend moves it");
  }

  predict(messages: readonly Outgoing[]): Prediction {
    if (messages.some(({ placed }) => isOnHost(placed))) return this.#host.predict(messages);
    const onOneGpu = messages.some(({ peer }) => peer !== undefined && this.#onOneGpu.has(peer));
    return predictForms(this.#context, messages, FORMS, { onOneGpu });
  }

  begin(messages: readonly Addressed[], wire: Wire): readonly Sending[] {
    return messages.map((message) => {
      if (isOnHost(message.placed)) return this.#host.begin(message, wire, writeFromHost);
      const offer = this.#offerOf(message);
      if (offer === undefined) return new ChunkedSend(message, wire);
      return new OfferedSend(message, wire, offer, () => new ChunkedSend(message, wire, true));
    });
  }

  bind(regions: Regions, terms: BoundTerms): () => BoundRegions {
    const told = tellRegions(this.#context, regions, terms);
    return () => new IpcRegions(this.#context, regions, terms, told);
  }

  /** Begins to fetch what was offered. Throws a BridgeError or a DriverError where it cannot. */
  take(offered: Offered): Taking {
    if (isOfHost(offered)) return this.#host.taking(behindKind(offered));
    const { bytes, atBytes, placed, frame } = offered;
    const { sizeBytes } = frame;
    const { device } = placed;
    if (device === undefined) return { kind: "declined", reason: "its elements are the host's" };
    const offer = readOffer(bytes, atBytes + KIND_BYTES);
    const memory = this.#memoryOf(offer, device);
    if (memory === undefined) return { kind: "declined", reason: "the memory of a message to oneself is gone" };
    const source = { memory, originBytes: offer.originBytes };
    const known = { types: this.#types, copyBetween: this.#copyBetween };
    const fetched = beginFetch(offer, source, placed, sizeBytes, known);
    if ("reason" in fetched) return { kind: "declined", reason: fetched.reason };
    const onOneGpu = offer.gpu === device.context.device.uuid;
    return { kind: "taking", answer: { kind: "taken", onOneGpu }, poll: () => fetched.poll() };
  }

  leave(offered: Offered): Answer | undefined {
    if (!isOfHost(offered)) return { kind: "taken", onOneGpu: false };
    this.#host.taking(behindKind(offered)).leave();
    return undefined;
  }

  [Symbol.dispose](): void {
    for (const copies of this.#copies.values()) for (const copy of copies.values()) copy[Symbol.dispose]();
    this.#types[Symbol.dispose]();
  }

  /** What it offers is held until the receiver has it; none where this rank cannot share its memory. */
  #offerOf(message: Addressed): Offer | undefined {
    const { placed, peer } = message;
    const device = placed.device as DeviceSide;
    try {
      const text = message.form === "ipc" ? this.#textOf(placed.type) : undefined;
      const offered = text === undefined ? this.#packed(placed, device) : this.#asItLies(placed, device, text);
      return {
        ...offered,
        asks: "fetch",
        mostBytes: KIND_BYTES + OFFER_BYTES + MOST_TEXT_BYTES,
        heard: (answer) => {
          if (answer.kind === "taken" && answer.onOneGpu) this.#onOneGpu.add(peer);
          if (answer.kind === "refused") this.#refusals.set(peer, `rank ${peer} refused: ${answer.reason}`);
        },
      };
    } catch (error) {
      this.#refusals.set(peer, `this rank cannot share its memory: ${lineOf(error)}`);
      return undefined;
    }
  }

  #memoryOf(offer: OfferedMemory, { context }: DeviceSide): Buffer | undefined {
    if (offer.process !== process.pid) return this.#context.devices.opened.of(offer, context);
    const own = this.#context.devices.shared.own(offer.id);
    if (own === undefined) return undefined;
    const { address = 0, sizeBytes, device = 0 } = own;
    const before = address - offer.startAddress;
    return { kind: "device", address: address - before, sizeBytes: sizeBytes + before, device };
  }

  /** Its text as bytes; undefined of one that is too long. */
  #textOf(type: BridgeType): Uint8Array | undefined {
    let text = this.#texts.get(type);
    if (text === undefined) {
      text = new TextEncoder().encode(printDatatypeText(type.datatype));
      this.#texts.set(type, text.length > MOST_TEXT_BYTES ? NO_TEXT : text);
    }
    return text.length > MOST_TEXT_BYTES || text.length === 0 ? undefined : text;
  }

  /** The receiver's GPU reads what earlier work of this one wrote: that must be over. */
  #asItLies(
    { buffer, originBytes, count }: Placed,
    device: DeviceSide,
    text: Uint8Array,
  ): Pick<Offer, "write" | "release"> {
    device.settle();
    const shared = this.#context.devices.shared.of(buffer, device.context);
    const before = ((buffer as Buffer).address as number) - shared.startAddress;
    const offer = { ...shared, gpu: device.context.device.uuid, originBytes: before + originBytes, count };
    return { write: (bytes, at) => writeFromDevice(bytes, at, offer, text), release: nothing };
  }

  #packed(
    { type, buffer, originBytes, count, sizeBytes }: Placed,
    device: DeviceSide,
  ): Pick<Offer, "write" | "release"> {
    const staging = device.onDevice.take(sizeBytes);
    const release = (): void => staging.home.give(staging);
    try {
      const packed = staging.memory as Buffer;
      pack(type, { memory: buffer, originBytes }, packed, { count }).wait();
      const shared = this.#context.devices.shared.of(packed, device.context);
      const offer = { ...shared, gpu: device.context.device.uuid, originBytes: 0, count };
      return { write: (bytes, at) => writeFromDevice(bytes, at, offer, NO_TEXT), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  readonly #copyBetween = (from: BridgeType, to: BridgeType): CommittedCopy => {
    let copies = this.#copies.get(from);
    if (copies === undefined) this.#copies.set(from, (copies = new Map<BridgeType, CommittedCopy>()));
    let copy = copies.get(to);
    if (copy === undefined) copies.set(to, (copy = this.#context.copyOnDevice(from.layout, to.layout)));
    return copy;
  };
}

function writeFromDevice(
  bytes: Uint8Array,
  at: number,
  offer: Omit<OfferedMemory, "datatype">,
  text: Uint8Array,
): number {
  bytes[at] = ON_DEVICE;
  return KIND_BYTES + writeOffer(bytes, at + KIND_BYTES, offer, text);
}

function writeFromHost(bytes: Uint8Array, at: number, held: Held): number {
  bytes[at] = ON_HOST;
  return KIND_BYTES + writeHostOffer(bytes, at + KIND_BYTES, held);
}

const isOfHost = ({ bytes, atBytes }: Offered): boolean => bytes[atBytes] === ON_HOST;
const behindKind = (offered: Offered): Offered => ({ ...offered, atBytes: offered.atBytes + KIND_BYTES });
