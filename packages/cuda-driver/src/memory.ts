import { ArgumentError, quoted } from "@stowage/ir";
import { takeWord, word64 } from "./cells.js";
import { check, DriverError, requireInUse } from "./check.js";
import type { ContextHandle, StreamHandle } from "./context-handle.js";
import { release } from "./release.js";

// CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP; the flags of cuMemHostRegister have the same values.
const PORTABLE_AND_MAPPED = 0x01 | 0x02;
const ATTACH_GLOBAL = 0x01;
/** V8 has no longer array buffers. */
const LARGEST_VIEW_BYTES = 2 ** 32;

/** One allocation of the driver. What is left undisposed lives until the context is released. */
abstract class Allocation {
  abstract readonly kind: "device" | "pinned" | "managed";
  /** The context that it was allocated in. */
  readonly context: ContextHandle;
  /** Its length in bytes. */
  readonly sizeBytes: number;
  #address: number;
  #disposed = false;

  constructor(context: ContextHandle, sizeBytes: number, address: number) {
    this.context = context;
    this.sizeBytes = sizeBytes;
    this.#address = address;
    context.allocations.add(address, this);
  }

  /**
   * The address of its first byte, for host and device alike (one address space), which never changes. Throws a
   * DriverError after it was disposed of.
   */
  get address(): number {
    requireInUse(`${this.kind} memory`, this.disposed);
    return this.#address;
  }

  /** The ordinal of the device that it was allocated through. */
  get device(): number {
    return this.context.device.ordinal;
  }

  /** Whether it, or its context, was disposed of. */
  get disposed(): boolean {
    return this.#disposed || this.context.disposed;
  }

  /** Sets every byte to a value from 0 to 255, in the order of the stream (cuMemsetD8Async). */
  fill(value: number, stream: StreamHandle): void {
    const { libcuda } = this.context;
    this.context.enter();
    check(libcuda, "cuMemsetD8Async", libcuda.cuMemsetD8Async(this.address, value, this.sizeBytes, stream.handle));
  }

  /** Gives the memory back. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.context.allocations.remove(this.#address);
    this.free(this.#address);
  }

  protected abstract free(address: number): void;
}

/** Memory of a device (cuMemAlloc). */
export class DeviceMemory extends Allocation {
  /** Always "device". */
  readonly kind = "device";

  /** Allocates; `Context.deviceMemory` is the usual way. */
  constructor(context: ContextHandle, sizeBytes: number) {
    const { libcuda } = context;
    enterFor(context, "device", sizeBytes);
    check(libcuda, "cuMemAlloc", libcuda.cuMemAlloc_v2(word64, sizeBytes), shortOf(sizeBytes, "device"));
    super(context, sizeBytes, takeWord());
  }

  protected free(address: number): void {
    release(this.context, "cuMemFree", () => this.context.libcuda.cuMemFree_v2(address));
  }
}

/** Host memory's bytes as JavaScript sees them; views of disposed memory must not be touched. */
abstract class VisibleAllocation extends Allocation {
  #bytes: Uint8Array | undefined;

  /** The memory's bytes, always the same view. Throws a DriverError for more than 2^32, which V8 has no view of. */
  get bytes(): Uint8Array {
    const { address, sizeBytes } = this;
    if (sizeBytes > LARGEST_VIEW_BYTES) {
      throw new DriverError("bytes", undefined, `expected memory of at most 2^32 bytes, got ${sizeBytes}`);
    }
    this.#bytes ??= this.context.libcuda.bytesAt(address, sizeBytes);
    return this.#bytes;
  }
}

/** Pinned memory of the host, mapped for the device (cuMemHostAlloc). */
export class PinnedMemory extends VisibleAllocation {
  /** Always "pinned". */
  readonly kind = "pinned";

  /** Allocates; `Context.pinnedMemory` is the usual way. */
  constructor(context: ContextHandle, sizeBytes: number) {
    const { libcuda } = context;
    enterFor(context, "pinned", sizeBytes);
    const result = libcuda.cuMemHostAlloc(word64, sizeBytes, PORTABLE_AND_MAPPED);
    check(libcuda, "cuMemHostAlloc", result, shortOf(sizeBytes, "page-locked host"));
    super(context, sizeBytes, takeWord());
  }

  /**
   * The address by which kernels reach it; with unified addressing, on every 64-bit Linux, it is the host's own
   * address.
   */
  get deviceAddress(): number {
    return mappedAddress(this.context, this.address);
  }

  protected free(address: number): void {
    release(this.context, "cuMemFreeHost", () => this.context.libcuda.cuMemFreeHost(address));
  }
}

/** Memory that host and devices share (cuMemAllocManaged). */
export class ManagedMemory extends VisibleAllocation {
  /** Always "managed". */
  readonly kind = "managed";

  /** Allocates; `Context.managedMemory` is the usual way. */
  constructor(context: ContextHandle, sizeBytes: number) {
    const { libcuda } = context;
    enterFor(context, "managed", sizeBytes);
    const result = libcuda.cuMemAllocManaged(word64, sizeBytes, ATTACH_GLOBAL);
    check(libcuda, "cuMemAllocManaged", result, shortOf(sizeBytes, "managed"));
    super(context, sizeBytes, takeWord());
  }

  protected free(address: number): void {
    release(this.context, "cuMemFree", () => this.context.libcuda.cuMemFree_v2(address));
  }
}

/** Host memory that was there before, page-locked in place (cuMemHostRegister) until this is disposed of. */
export class RegisteredMemory extends Allocation {
  /** Always "pinned". */
  readonly kind = "pinned";
  /** The memory that was given. */
  readonly bytes: Uint8Array;

  /** Page-locks the view; `Context.register` is the usual way. */
  constructor(context: ContextHandle, view: Uint8Array) {
    const { libcuda } = context;
    if (!(view instanceof Uint8Array)) throw new ArgumentError("memory to register", "a Uint8Array", quoted(view));
    enterFor(context, "registered", view.byteLength);
    const address = libcuda.addressOf(view);
    const result = libcuda.cuMemHostRegister_v2(address, view.byteLength, PORTABLE_AND_MAPPED);
    check(libcuda, "cuMemHostRegister", result);
    super(context, view.byteLength, address);
    this.bytes = view;
  }

  /** The address by which kernels reach it. */
  get deviceAddress(): number {
    return mappedAddress(this.context, this.address);
  }

  protected free(address: number): void {
    release(this.context, "cuMemHostUnregister", () => this.context.libcuda.cuMemHostUnregister(address));
  }
}

/** Device memory of another process, opened by its handle; the owner's memory must outlive it. */
export class SharedMemory extends Allocation {
  /** Always "device". */
  readonly kind = "device";

  /** Opens the memory; openSharedMemory is the usual way. */
  constructor(context: ContextHandle, handle: Uint8Array, sizeBytes: number) {
    const { libcuda } = context;
    context.enter();
    const LAZY_PEER_ACCESS = 1;
    const result = libcuda.cuIpcOpenMemHandle_v2(word64, handle, LAZY_PEER_ACCESS);
    check(libcuda, "cuIpcOpenMemHandle", result, "expected a handle of another process's living memory");
    super(context, sizeBytes, takeWord());
  }

  protected free(address: number): void {
    release(this.context, "cuIpcCloseMemHandle", () => this.context.libcuda.cuIpcCloseMemHandle(address));
  }
}

/** Any memory that this package hands out. */
export type DriverMemory = DeviceMemory | PinnedMemory | ManagedMemory | RegisteredMemory | SharedMemory;

function enterFor(context: ContextHandle, kind: string, sizeBytes: number): void {
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 1) {
    throw new DriverError(`size of ${kind} memory`, undefined, `expected 1 byte or more, got ${quoted(sizeBytes)}`);
  }
  context.enter();
}

function shortOf(sizeBytes: number, kind: string): string {
  return `${sizeBytes} bytes of ${kind} memory were asked for: free some or ask for less`;
}

function mappedAddress(context: ContextHandle, address: number): number {
  const { libcuda } = context;
  context.enter();
  check(libcuda, "cuMemHostGetDevicePointer", libcuda.cuMemHostGetDevicePointer_v2(word64, address, 0));
  return takeWord();
}
