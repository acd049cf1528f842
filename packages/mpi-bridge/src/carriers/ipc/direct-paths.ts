import { DeviceMethods } from "../devices/device-methods.js";
import type { Buffer } from "@stowage/backend-api";
import { printDatatypeText } from "@stowage/ir";
import type { CommittedCopy } from "@stowage/selector";
import { pack } from "../../message/place/pack.js";
import type { Placed } from "../../message/place/placed.js";
import type { BridgeType } from "../../message/datatype/bridge-type.js";
import { closed, type Directness } from "../devices/directness.js";
import type { DeviceWays } from "../framed/framing-options.js";
import { NcclPaths } from "../nccl/nccl-paths.js";
import type { DeviceSide } from "../../message/devices/device-side.js";
import { BridgeError } from "../../errors.js";
import { KnownTypes } from "../../message/datatype/known-types.js";
import type { Context } from "../../message/context.js";
import { lineOf } from "./line-of.js";
import { beginFetch } from "./fetch.js";
import { writeOffer, type Offer } from "../../message/devices/offer.js";

/** What dup was given of NCCL: the ways that were made, or why there are none. */
export type Nccl = NcclPaths | BridgeError;

/** Elements that a kernel of this rank's GPU fetches. */
interface Fetched {
  readonly answer: "fetched" | "fetched on one GPU";
  poll(): boolean;
}

/** An offer that is ready to be sent; what it offers is held until the receiver has it. */
export interface Offered {
  /** Returns how many bytes were written. */
  write(bytes: Uint8Array, at: number): number;
  release(): void;
}

/** Longer texts cost more to send and to read than packing does: such elements are packed. */
export const MOST_TEXT_BYTES = 512;
const NO_TEXT = new Uint8Array(0);
const nothing = (): void => undefined;

/** The ways from one GPU's memory to another's, of one communicator. */
export class DirectPaths implements Disposable {
  /** Why ranks take no more offers, by rank. */
  readonly refusals = new Map<number, string>();
  /** Ranks of which a reply told that they use this rank's GPU. */
  readonly onOneGpu = new Set<number>();
  readonly #context: Context;
  readonly #types: KnownTypes;
  readonly #texts = new WeakMap<BridgeType, Uint8Array>();
  readonly #copies = new Map<BridgeType, Map<BridgeType, CommittedCopy>>();

  /** By NCCL; undefined where there is none. */
  readonly nccl: NcclPaths | undefined;
  readonly #byIpc: boolean;
  readonly #ncclReason: string | undefined;

  constructor(context: Context, devices: DeviceWays, nccl: Nccl | undefined) {
    this.#context = context;
    this.#types = new KnownTypes(context.types);
    this.#byIpc = devices !== "nccl";
    this.nccl = nccl instanceof NcclPaths ? nccl : undefined;
    this.#ncclReason = nccl instanceof Error ? lineOf(nccl) : undefined;
  }

  /** What is open to messages to a rank, and why not. */
  directnessTo(peer: number | undefined, device: DeviceSide | undefined): Directness {
    const ipc = this.#ipcTo(peer);
    if (this.nccl === undefined)
      return this.#ncclReason === undefined ? { ipc } : { ipc, nccl: closed(this.#ncclReason) };
    if (device !== this.nccl.side) return { ipc, nccl: closed("the message lies in another GPU's memory") };
    if (peer === undefined || this.nccl.to(peer) !== undefined) return { ipc, nccl: { isOpen: true } };
    return { ipc, nccl: closed(this.nccl.refusals.get(peer) ?? "a message to this rank itself") };
  }

  #ipcTo(peer: number | undefined): Directness["ipc"] {
    if (!this.#byIpc) return closed('its communicator was duplicated with { devices: "nccl" }');
    const reason = peer === undefined ? undefined : this.refusals.get(peer);
    return reason === undefined
      ? { isOpen: true, onOneGpu: peer !== undefined && this.onOneGpu.has(peer) }
      : closed(reason);
  }

  /** Where a message to a rank goes by NCCL, as is predicted to take less, or as it must. */
  ncclFor(placed: Placed, peer: number): NcclPaths | undefined {
    if (this.nccl?.to(peer) === undefined || placed.device !== this.nccl.side || placed.sizeBytes === 0)
      return undefined;
    const method = this.#context.only(DeviceMethods).methodOf(placed, this.directnessTo(peer, placed.device));
    return method === "nccl" && this.nccl.isReadyFor("send", placed, placed.sizeBytes) ? this.nccl : undefined;
  }

  /**
   * Of a message to a rank; undefined where it goes by way of the host, as is predicted to take less, or as it must.
   */
  offerFor(placed: Placed, peer: number): Offered | undefined {
    const { device, sizeBytes } = placed;
    if (device === undefined || sizeBytes === 0 || this.refusals.has(peer) || !this.#byIpc) return undefined;
    const method = this.#context.only(DeviceMethods).methodOf(placed, this.directnessTo(peer, device));
    if (method !== "ipc" && method !== "ipc-packed") return undefined;
    try {
      const text = method === "ipc" ? this.#textOf(placed.type) : undefined;
      return text === undefined ? this.#packed(placed, device) : this.#asItLies(placed, device, text);
    } catch (error) {
      this.refusals.set(peer, `this rank cannot share its memory: ${lineOf(error)}`);
      return undefined;
    }
  }

  /** Begins to fetch what was offered. Throws a BridgeError or a DriverError where it cannot. */
  fetch(offer: Offer, placed: Placed, arrivedBytes: number): Fetched {
    const device = placed.device as DeviceSide;
    const memory = this.#memoryOf(offer, device);
    const source = { memory, originBytes: offer.originBytes };
    const known = { types: this.#types, copyBetween: this.#copyBetween };
    const fetched = beginFetch(offer, source, placed, arrivedBytes, known);
    const isOneGpu = offer.gpu === device.context.device.uuid;
    return { answer: isOneGpu ? "fetched on one GPU" : "fetched", poll: () => fetched.poll() };
  }

  [Symbol.dispose](): void {
    for (const copies of this.#copies.values()) for (const copy of copies.values()) copy[Symbol.dispose]();
    if (this.nccl === undefined) return;
    this.nccl[Symbol.dispose]();
    this.#context.endsBeforeDevices.delete(this.nccl);
    this.#types[Symbol.dispose]();
  }

  #memoryOf(offer: Offer, { context }: DeviceSide): Buffer {
    if (offer.process !== process.pid) return this.#context.devices.opened.of(offer, context);
    const own = this.#context.devices.shared.own(offer.id);
    if (own === undefined) throw new BridgeError("memory of a message to oneself", "memory in use", "none");
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
  #asItLies({ buffer, originBytes, count }: Placed, device: DeviceSide, text: Uint8Array): Offered {
    device.settle();
    const shared = this.#context.devices.shared.of(buffer, device.context);
    const before = ((buffer as Buffer).address as number) - shared.startAddress;
    const offer = { ...shared, gpu: device.context.device.uuid, originBytes: before + originBytes, count };
    return { write: (bytes, at) => writeOffer(bytes, at, offer, text), release: nothing };
  }

  #packed({ type, buffer, originBytes, count, sizeBytes }: Placed, device: DeviceSide): Offered {
    const staging = device.onDevice.take(sizeBytes);
    const release = (): void => staging.home.give(staging);
    try {
      const packed = staging.memory as Buffer;
      pack(type, { memory: buffer, originBytes }, packed, { count }).wait();
      const shared = this.#context.devices.shared.of(packed, device.context);
      const offer = { ...shared, gpu: device.context.device.uuid, originBytes: 0, count };
      return { write: (bytes, at) => writeOffer(bytes, at, offer, NO_TEXT), release };
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
