import { ArgumentError, quoted } from "@stowage/ir";
import { print, type Kernel } from "@stowage/ptx";
import type { Allocations } from "./allocations.js";
import type { Libcuda } from "./calls.js";
import type { ContextHandle } from "./context-handle.js";
import { int32, otherWord64, takeInt, takeWord, word64 } from "./cells.js";
import { check, DriverError, requireInUse } from "./check.js";
import { runsKernels, tooOld, type Device } from "./device.js";
import { Event, type EventOptions } from "./event.js";
import { limitNumber, type Limit } from "./limit.js";
import { DeviceMemory, ManagedMemory, PinnedMemory, RegisteredMemory } from "./memory.js";
import { Module, type LoadedKernel } from "./module.js";
import { PEER_ACCESS_ALREADY_ENABLED } from "./results.js";
import { release } from "./release.js";
import { ForeignStream, OwnStream, type Stream, type StreamOptions } from "./stream.js";
import { copiesBatches } from "./version.js";

/** The context that each libcuda last entered through us; asking the driver each time would cost a call. */
const entered = new WeakMap<Libcuda, number>();

/**
 * A device's primary context, retained until this is disposed of, and what lives in it. The driver counts the holders,
 * other libraries of this process among them: with the last one goes all that lives in it. Methods that call the driver
 * throw a DriverError where the call fails, and after the context was disposed of.
 *
 * @example
 * ```ts
 * using context = openCuda().context(0);
 * using memory = context.deviceMemory(1 << 20);
 * using stream = context.stream();
 * memory.fill(0, stream);
 * stream.synchronize();
 * ```
 */
export class Context implements ContextHandle, Disposable {
  /** The library that all calls go to. */
  readonly libcuda: Libcuda;
  /** CUDA's version number as the driver gives it: 12080 is CUDA 12.8. */
  readonly version: number;
  /** The memory that was allocated through the driver object that made the context. */
  readonly allocations: Allocations;
  /** The context's device. */
  readonly device: Device;
  /** The CUcontext, as a number. */
  readonly handle: number;
  readonly #modules = new Map<string, Module>();
  readonly #peers = new Set<number>();
  #disposed = false;

  /** Retains the device's primary context, and makes it current; `Driver.context` is the usual way. */
  constructor(
    { libcuda, version, allocations }: Pick<ContextHandle, "libcuda" | "version" | "allocations">,
    device: Device,
  ) {
    this.libcuda = libcuda;
    this.allocations = allocations;
    this.version = version;
    this.device = device;
    check(this.libcuda, "cuDevicePrimaryCtxRetain", this.libcuda.cuDevicePrimaryCtxRetain(word64, device.ordinal));
    this.handle = takeWord();
    this.makeCurrent();
  }

  /** Whether it was disposed of. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /** Whether cuMemcpyBatchAsync exists: from CUDA 12.8 on. */
  get copiesBatches(): boolean {
    return copiesBatches(this);
  }

  /** Makes this the current context of the thread, where another of ours was entered last. */
  enter(): void {
    requireInUse("context", this.#disposed);
    if (entered.get(this.libcuda) !== this.handle) this.makeCurrent();
  }

  /**
   * Makes this the current context of the thread whatever came before: for threads on which others change contexts too.
   */
  makeCurrent(): void {
    check(this.libcuda, "cuCtxSetCurrent", this.libcuda.cuCtxSetCurrent(this.handle));
    entered.set(this.libcuda, this.handle);
  }

  /**
   * Allocates memory of the GPU itself, `sizeBytes` of 1 or more. Throws a DriverError where the GPU is short of
   * memory.
   */
  deviceMemory(sizeBytes: number): DeviceMemory {
    return new DeviceMemory(this, sizeBytes);
  }

  /**
   * Allocates page-locked host memory that the device can also reach: copies are fastest with it, and kernels read and
   * write it directly (zero-copy). Throws a DriverError where it is short.
   */
  pinnedMemory(sizeBytes: number): PinnedMemory {
    return new PinnedMemory(this, sizeBytes);
  }

  /** Allocates memory that migrates between host and devices. Throws a DriverError where it is short. */
  managedMemory(sizeBytes: number): ManagedMemory {
    return new ManagedMemory(this, sizeBytes);
  }

  /**
   * Page-locks memory that already exists, for as long as the result lives. Throws an ArgumentError for anything but a
   * Uint8Array, and a DriverError where the memory cannot be locked.
   */
  register(view: Uint8Array): RegisteredMemory {
    return new RegisteredMemory(this, view);
  }

  /**
   * Makes a stream, which does not wait for the legacy default stream unless it is `blocking`. Throws an ArgumentError
   * for wrong options.
   */
  stream(options: StreamOptions = {}): OwnStream {
    return new OwnStream(this, options);
  }

  /** A stream that someone else made and destroys, by its CUstream handle; 0 is the legacy default stream. */
  foreignStream(handle: number): Stream {
    return new ForeignStream(this, handle);
  }

  /** Makes an event, or opens another process's. Throws an ArgumentError for wrong options. */
  event(options: EventOptions = {}): Event {
    return new Event(this, options);
  }

  /**
   * Loads PTX; the same text is loaded once and belongs to the context. Throws an ArgumentError for what is no text,
   * and a DriverError with the compiler's log where the driver refuses it.
   */
  module(ptx: string): Module {
    if (typeof ptx !== "string") throw new ArgumentError("module", "PTX as text", quoted(ptx));
    const cached = this.#modules.get(ptx);
    if (cached !== undefined) return cached;
    const module = new Module(this, ptx);
    this.#modules.set(ptx, module);
    return module;
  }

  /**
   * Prints a kernel as PTX for this device and loads it; a kernel that is already loaded is shared. Throws a
   * DriverError where the device is too old for it.
   */
  kernel(kernel: Kernel): LoadedKernel {
    if (!runsKernels(this.device)) throw new DriverError("kernel", undefined, tooOld(this.device));
    const text = print(kernel, { arch: this.device.architecture });
    this.libcuda.rendered(text, kernel);
    return this.module(text).kernel(kernel.name);
  }

  /** Waits for all work of the context. */
  synchronize(): void {
    this.enter();
    check(this.libcuda, "cuCtxSynchronize", this.libcuda.cuCtxSynchronize());
  }

  /** How many bytes of the device's memory are free, and how many it has (cuMemGetInfo). */
  memoryInfo(): { readonly freeBytes: number; readonly totalBytes: number } {
    this.enter();
    check(this.libcuda, "cuMemGetInfo", this.libcuda.cuMemGetInfo_v2(word64, otherWord64));
    return { freeBytes: takeWord(), totalBytes: Number(otherWord64[0]) };
  }

  /**
   * The value of a limit of the context, in bytes (cuCtxGetLimit). Throws an ArgumentError for a name that is no
   * limit's.
   */
  limit(name: Limit): number {
    this.enter();
    check(this.libcuda, "cuCtxGetLimit", this.libcuda.cuCtxGetLimit(word64, limitNumber(name)));
    return takeWord();
  }

  /**
   * Sets a limit of the whole context, in bytes (cuCtxSetLimit): everything else in this process that uses the device
   * feels it. Throws an ArgumentError for a name that is no limit's.
   */
  setLimit(name: Limit, value: number): void {
    this.enter();
    check(this.libcuda, "cuCtxSetLimit", this.libcuda.cuCtxSetLimit(limitNumber(name), value));
  }

  /**
   * Whether kernels and copies of this device could reach the peer's memory, once enablePeer was called
   * (cuDeviceCanAccessPeer).
   */
  canReach(peer: Context): boolean {
    const [own, other] = [this.device.ordinal, peer.device.ordinal];
    check(this.libcuda, "cuDeviceCanAccessPeer", this.libcuda.cuDeviceCanAccessPeer(int32, own, other));
    return takeInt() === 1;
  }

  /** Lets kernels and copies of this context reach the peer's memory. To enable it twice is no error. */
  enablePeer(peer: Context): void {
    this.enter();
    const result = this.libcuda.cuCtxEnablePeerAccess(peer.handle, 0);
    if (result !== PEER_ACCESS_ALREADY_ENABLED) check(this.libcuda, "cuCtxEnablePeerAccess", result);
    this.#peers.add(peer.device.ordinal);
  }

  /**
   * Whether kernels of this context reach the memory of a device, by its ordinal: their own device's, and that of peers
   * that were enabled through this object.
   */
  reaches(ordinal: number): boolean {
    return ordinal === this.device.ordinal || this.#peers.has(ordinal);
  }

  /** Ends what enablePeer began. Throws a DriverError where access was not enabled. */
  disablePeer(peer: Context): void {
    this.enter();
    check(this.libcuda, "cuCtxDisablePeerAccess", this.libcuda.cuCtxDisablePeerAccess(peer.handle));
    this.#peers.delete(peer.device.ordinal);
  }

  /** Unloads the context's modules, and releases the primary context. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    for (const module of this.#modules.values()) module[Symbol.dispose]();
    this.#modules.clear();
    release(this, "cuDevicePrimaryCtxRelease", () => this.libcuda.cuDevicePrimaryCtxRelease_v2(this.device.ordinal));
    this.#disposed = true;
    entered.delete(this.libcuda);
  }
}
