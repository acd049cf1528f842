import type { Allocations } from "./allocations.js";
import type { Libcuda } from "./calls.js";
import type { Device } from "./device.js";

/** What objects that live in a context know of it. Context makes these objects, so none of them imports Context. */
export interface ContextHandle {
  /** The library that all calls go to. */
  readonly libcuda: Libcuda;
  /** The context's device. */
  readonly device: Device;
  /** CUDA's version number as the driver gives it: 12080 is CUDA 12.8. */
  readonly version: number;
  /** The memory that was allocated through the driver object that made the context. */
  readonly allocations: Allocations;
  /** The CUcontext, as a number. */
  readonly handle: number;
  /** Whether it was disposed of; what lives in it must then not be used. */
  readonly disposed: boolean;
  /**
   * Makes this the current context of the thread, where another of ours was entered last. Throws a DriverError after it
   * was disposed of.
   */
  enter(): void;
}

/** A stream as calls name it: one of ours, or one of a program's own. */
export interface StreamHandle {
  /** The CUstream, as a number; 0 is the legacy default stream. */
  readonly handle: number;
}
