import { fromNdarray, datatypeOf, type StridedArray } from "@stowage/arrays";
import {
  hostMemory,
  HostBuffer,
  isAddressSpace,
  reachOf,
  type Buffer,
  type Memory,
  type Span,
} from "@stowage/backend-api";
import { quoted, type Datatype } from "@stowage/ir";
import type { BufferLike } from "@stowage/selector";
import type { BridgeType } from "../datatype/bridge-type.js";
import type { TypeCache } from "../datatype/type-cache.js";
import { BridgeError } from "../../errors.js";
import { addressOf } from "../../native/words.js";
import type { Elements, Message, NdarrayLike } from "./message.js";
import type { DeviceSides } from "../devices/device-sides.js";
import { isThere, type HostPlaced, type Placed } from "./placed.js";
import { elementOfView } from "./typed-elements.js";

const MOST_SHAPES = 256;
const NOWHERE = new Uint8Array(new ArrayBuffer(8));

/** Elements of a committed datatype, and what they were when they were placed. */
interface KnownElements {
  readonly placed: Placed;
  readonly buffer: BufferLike;
  /** Of a span: what it said. */
  readonly memory: Memory | undefined;
  readonly originBytes: number;
  readonly count: number | undefined;
}

function isUnchanged({ placed, buffer, memory, originBytes, count }: KnownElements, message: Elements): boolean {
  if (message.buffer !== buffer || message.datatype !== placed.type || message.count !== count) return false;
  placed.type.requireUsable();
  if (memory !== undefined && ((buffer as Span).memory !== memory || (buffer as Span).originBytes !== originBytes))
    return false;
  return isThere(placed);
}

/** Finds where messages lie. Views that come again are remembered: an entry goes with its view. */
export class Places {
  readonly #types: TypeCache;
  readonly #devices: DeviceSides;
  readonly #views = new WeakMap<ArrayBufferView, HostPlaced>();
  readonly #elements = new WeakMap<Elements, KnownElements>();
  readonly #arrayTypes = new WeakMap<Datatype, Map<string, Datatype>>();

  constructor(types: TypeCache, devices: DeviceSides) {
    this.#types = types;
    this.#devices = devices;
  }

  /** Throws a BridgeError, a BindingError or a DatatypeError for what is no message, or reaches outside its memory. */
  of(message: Message): Placed {
    if (!ArrayBuffer.isView(message)) return this.#ofObject(message);
    const known = this.#views.get(message);
    if (known !== undefined && known.buffer.isAttached) return known;
    const element = this.#types.of(elementOfView(message));
    const host = hostOf(message);
    const placed = this.#placed(host, 0, element, message.byteLength / element.sizeBytes);
    if (!host.canChangeSize) this.#views.set(message, placed as HostPlaced);
    return placed;
  }

  /** Elements of any kind: as `of`, with a datatype and a count that may differ. */
  at(buffer: BufferLike, type: BridgeType, count: number | undefined): Placed {
    const { memory, originBytes } = this.#spanOf(buffer);
    const held = bufferOf(memory);
    const elements = count ?? heldBy(type, held.sizeBytes - originBytes);
    requireCount(elements);
    return this.#placed(held, originBytes, type, elements);
  }

  /** Elements so many bytes past where others lie, in the same memory. */
  beyond({ buffer, originBytes }: Placed, type: BridgeType, count: number, atBytes: number): Placed {
    requireCount(count);
    return this.#placed(buffer, originBytes + atBytes, type, count);
  }

  #ofObject(message: Exclude<Message, ArrayBufferView>): Placed {
    if (typeof message !== "object" || message === null) throw notAMessage(message);
    if ("buffer" in message) return this.#ofElements(message);
    if ("stridesBytes" in message) return this.#ofArray(message);
    if ("shape" in message) return this.#ofArray(fromNdarray({ ...message, dtype: dtypeOf(message) }));
    if ("originBytes" in message) return this.at(message, this.#types.of("MPI_BYTE"), undefined);
    throw notAMessage(message);
  }

  /** Objects that come again unchanged are remembered. */
  #ofElements(message: Elements): Placed {
    const { buffer, datatype, count } = message;
    const known = this.#elements.get(message);
    if (known !== undefined && isUnchanged(known, message)) return known.placed;
    if (datatype === undefined) throw new BridgeError("elements of a message", "a datatype", "none");
    const placed = this.at(buffer, this.#types.of(datatype), count);
    if (placed.type !== datatype) return placed;
    const { memory = undefined, originBytes = 0 } = "originBytes" in buffer ? buffer : {};
    this.#elements.set(message, { placed, buffer, memory, originBytes, count });
    return placed;
  }

  #ofArray(array: StridedArray): Placed {
    if (array.data === undefined) throw new BridgeError("array of a message", "data", "none");
    const span = { memory: hostMemory(array.data), originBytes: array.offsetBytes };
    return this.at(span, this.#types.of(this.#arrayType(array)), 1);
  }

  /** Arrays of one element, shape and strides share a datatype. */
  #arrayType(array: StridedArray): Datatype {
    const key = `${array.shape.join()} ${array.stridesBytes.join()}`;
    let known = this.#arrayTypes.get(array.element);
    if (known === undefined || known.size >= MOST_SHAPES)
      this.#arrayTypes.set(array.element, (known = new Map<string, Datatype>()));
    let datatype = known.get(key);
    if (datatype === undefined) known.set(key, (datatype = datatypeOf(array)));
    return datatype;
  }

  #spanOf(buffer: BufferLike): Span {
    if (typeof buffer !== "object" || buffer === null) throw notAMessage(buffer);
    if ("originBytes" in buffer) return requireSpan(buffer);
    if (ArrayBuffer.isView(buffer)) return { memory: this.of(buffer).buffer, originBytes: 0 };
    return { memory: isMemory(buffer) ? buffer : hostMemory(buffer), originBytes: 0 };
  }

  #placed(buffer: HostBuffer | Buffer, originBytes: number, type: BridgeType, count: number): Placed {
    const sizeBytes = count * type.sizeBytes;
    const { lowBytes, highBytes } = reachOf(type.layout, { count, first: 0, length: sizeBytes });
    if (lowBytes < highBytes && (originBytes + lowBytes < 0 || originBytes + highBytes > buffer.sizeBytes)) {
      const got = `bytes [${originBytes + lowBytes}, ${originBytes + highBytes})`;
      throw new BridgeError("elements of a message", `bytes within a memory of ${buffer.sizeBytes}`, got);
    }
    if (!HostBuffer.is(buffer)) {
      const device = this.#devices.of(buffer);
      return { type, count, buffer, originBytes, address: (buffer.address as number) + originBytes, sizeBytes, device };
    }
    const start = buffer.sizeBytes === 0 ? addressOf(NOWHERE) : buffer.locate(addressOfHost);
    return { type, count, buffer, originBytes, address: start + originBytes, sizeBytes, device: undefined };
  }
}

/** Most elements that lie in so many bytes from the datatype's address 0 on. */
function heldBy(type: BridgeType, bytes: number): number {
  const { trueLowerBoundBytes, trueExtentBytes } = type.layout;
  const end = trueLowerBoundBytes + trueExtentBytes;
  if (type.sizeBytes === 0 || end > bytes) return 0;
  return type.extentBytes <= 0 ? 1 : 1 + Math.floor((bytes - end) / type.extentBytes);
}

function requireSpan(span: Span): Span {
  if (Number.isSafeInteger(span.originBytes)) return span;
  throw new BridgeError("origin of a message", "an integer of bytes", quoted(span.originBytes));
}

const isMemory = (buffer: object): buffer is Memory => "kind" in buffer;

function bufferOf(memory: Memory): HostBuffer | Buffer {
  if (typeof memory !== "object" || (memory as Memory | null) === null)
    throw new BridgeError("memory of a message", "one buffer of the host or of a device", quoted(memory));
  if (!isAddressSpace(memory) && HostBuffer.is(memory)) return memory;
  if (!isAddressSpace(memory) && memory.bytes !== undefined) return hostOf(memory.bytes);
  if (!isAddressSpace(memory) && memory.kind === "device") return memory;
  const got = isAddressSpace(memory) ? "an address space of several" : `${memory.kind} memory without bytes`;
  throw new BridgeError("memory of a message", "one buffer of the host or of a device", got);
}

const addressOfHost = ({ bytes }: HostBuffer): number => addressOf(bytes);

const hostOf = (view: ArrayBufferView): HostBuffer => hostMemory(view) as HostBuffer;

function dtypeOf({ data, dtype }: NdarrayLike): string {
  if (dtype !== undefined) return dtype;
  if (!ArrayBuffer.isView(data))
    throw new BridgeError("ndarray of a message", "a dtype, or a typed array as data", "neither");
  const tag = Object.prototype.toString.call(data).slice("[object ".length, -1);
  return tag
    .replace(/^Big/, "")
    .replace(/(Clamped)?Array$/, "")
    .toLowerCase();
}

function requireCount(count: number): void {
  if (Number.isSafeInteger(count) && count >= 0) return;
  throw new BridgeError("count of a message", "an integer of 0 or more", quoted(count));
}

const notAMessage = (got: unknown): BridgeError =>
  new BridgeError("message", "a typed array, an ndarray, a span or { buffer, datatype, count }", quoted(got));
