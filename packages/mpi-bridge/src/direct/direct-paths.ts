import type { Buffer, Completion } from "@stowage/backend-api";
import { printDatatypeText } from "@stowage/ir";
import type { CommittedCopy } from "@stowage/selector";
import { pack } from "../buffer/pack.js";
import type { Placed } from "../buffer/placed.js";
import type { BridgeType } from "../datatype/bridge-type.js";
import type { DeviceSide } from "../devices/device-side.js";
import { BridgeError } from "../errors.js";
import { KnownTypes } from "../windows/known-types.js";
import type { Context } from "../world/context.js";
import { beginFetch } from "./fetch.js";
import { writeOffer, type Offer } from "./offer.js";
import { OpenedAllocations } from "./opened-allocations.js";

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
  readonly #opened = new OpenedAllocations();
  readonly #texts = new WeakMap<BridgeType, Uint8Array>();
  readonly #copies = new Map<BridgeType, Map<BridgeType, CommittedCopy>>();

  constructor(context: Context) {
    this.#context = context;
    this.#types = new KnownTypes(context.types);
  }

  /** Of a message to a rank; undefined where it goes by way of the host, as is predicted to take less, or as it must. */
  offerFor(placed: Placed, peer: number): Offered | undefined {
    const { device, sizeBytes } = placed;
    if (device === undefined || sizeBytes === 0 || this.refusals.has(peer)) return undefined;
    const method = this.#context.methods.methodOf(placed, { isDirect: true, onOneGpu: this.onOneGpu.has(peer) });
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
  fetch(offer: Offer, placed: Placed, arrivedBytes: number): Completion {
    const memory = this.#memoryOf(offer, placed.device as DeviceSide);
    const source = { memory, originBytes: offer.originBytes };
    const known = { types: this.#types, copyBetween: this.#copyBetween };
    return beginFetch(offer, source, placed, arrivedBytes, known);
  }

  [Symbol.dispose](): void {
    for (const copies of this.#copies.values()) for (const copy of copies.values()) copy[Symbol.dispose]();
    this.#opened[Symbol.dispose]();
    this.#types[Symbol.dispose]();
  }

  #memoryOf(offer: Offer, { context }: DeviceSide): Buffer {
    if (offer.process !== process.pid) return this.#opened.of(offer, context);
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

export const lineOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ");
