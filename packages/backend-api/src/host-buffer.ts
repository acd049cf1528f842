import { quoted } from "@stowage/ir";
import { BindingError } from "./errors.js";
import type { Buffer, Memory } from "./memory.js";

/** Bytes of address space that a unit counts: no memory of a process lies in the first. */
const ADDRESS_UNIT = 2 ** 16;

/**
 * Pageable memory of JavaScript. Getters of views cost a call each, so what every binding asks for is read once. The
 * bytes do not move while they are attached: an address holds as long as the length does, and goes with this object.
 */
export class HostBuffer implements Buffer {
  // What calls read comes first, in one or two cache lines; an address in two numbers, for V8 keeps one beyond 2^31 in
  // an object of its own.
  /** The length of the view in bytes, when this object was made. */
  readonly sizeBytes: number;
  /** The view of the bytes. */
  readonly bytes: Uint8Array;
  /** Whether the buffer can change its size: a resizable ArrayBuffer, or a growable SharedArrayBuffer. */
  readonly canChangeSize: boolean;
  #addressUnits = 0;
  #addressRest = 0;
  /** Always "host". */
  readonly kind = "host";
  readonly #store: ArrayBufferLike;
  readonly #startBytes: number;

  /**
   * Takes the bytes by reference. Throws a BindingError for anything but a Uint8Array; hostMemory takes every other
   * view.
   */
  constructor(bytes: Uint8Array) {
    if (!(bytes instanceof Uint8Array)) refuse(quoted(bytes));
    this.sizeBytes = bytes.byteLength;
    this.bytes = bytes;
    this.#store = bytes.buffer;
    this.canChangeSize = canChangeSize(bytes.buffer);
    this.#startBytes = bytes.byteOffset;
  }

  /** Whether memory is a HostBuffer. */
  static is(memory: Memory): memory is HostBuffer {
    return typeof memory === "object" && (memory as Memory | null) !== null && #store in memory;
  }

  /** The ArrayBuffer or SharedArrayBuffer that holds the bytes. */
  get store(): ArrayBufferLike {
    return this.#store;
  }

  /** The offset in bytes of the first byte in `store`. */
  get startBytes(): number {
    return this.#startBytes;
  }

  /** Whether all bytes are there: false once they have been detached, or their ArrayBuffer has shrunk below them. */
  get isAttached(): boolean {
    // The length in elements: V8 compiles it to a load, byteLength to a call of 20 ns.
    return (this.canChangeSize ? this.bytes.byteLength : this.bytes.length) === this.sizeBytes;
  }

  /** Whether all bytes are there, and those from `lowBytes` to before `highBytes` lie among them. */
  reaches(lowBytes: number, highBytes: number): boolean {
    return this.isAttached && lowBytes >= 0 && highBytes <= this.sizeBytes;
  }

  /**
   * The address of the first byte. `find` is called once for it, and its answer is kept. The bytes must be attached.
   */
  locate(find: (buffer: HostBuffer) => number): number {
    if (this.#addressUnits === 0) this.#find(find);
    return this.#addressUnits * ADDRESS_UNIT + this.#addressRest;
  }

  #find(find: (buffer: HostBuffer) => number): void {
    const address = find(this);
    this.#addressRest = address % ADDRESS_UNIT;
    this.#addressUnits = (address - this.#addressRest) / ADDRESS_UNIT;
  }
}

/**
 * The pageable memory behind an array buffer or any view of one: all of its bytes, by reference. Throws a BindingError
 * for anything else, and for a detached one. A buffer that is detached or shrinks later is found when a plan is bound.
 *
 * @example
 * ```ts
 * const matrix = new Float64Array(20);
 * hostMemory(matrix).sizeBytes; // 160
 * ```
 */
export function hostMemory(view: ArrayBufferView | ArrayBufferLike): Buffer {
  return new HostBuffer(bytesOf(view));
}

function bytesOf(view: ArrayBufferView | ArrayBufferLike): Uint8Array {
  if (!ArrayBuffer.isView(view) && !isArrayBuffer(view)) refuse(quoted(view));
  try {
    if (!ArrayBuffer.isView(view)) return new Uint8Array(view);
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    // The view that a caller looks at anyway is no further object.
    return Object.getPrototypeOf(view) === Uint8Array.prototype ? (view as Uint8Array) : bytes;
  } catch (cause) {
    return refuse("a detached one", { cause });
  }
}

/** By its tag: it may come from another realm, and browsers may lack SharedArrayBuffer. */
const isArrayBuffer = (value: unknown): value is ArrayBufferLike =>
  /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));

/**
 * Whether an ArrayBuffer is resizable, or a SharedArrayBuffer growable. Code that asks views for their length asks
 * views of such buffers by byteLength, elsewhere: once it has met one, V8 11.3 (Node 20) loads the length of a detached
 * view as it was.
 */
export const canChangeSize = (store: ArrayBufferLike): boolean =>
  (store as { readonly resizable?: boolean }).resizable === true ||
  (store as { readonly growable?: boolean }).growable === true;

function refuse(got: string, options?: ErrorOptions): never {
  throw new BindingError("host memory", "an array buffer or a view of one", got, options);
}
