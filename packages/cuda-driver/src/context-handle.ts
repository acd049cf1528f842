import type { Allocations } from "./allocations.js";
import type { Libcuda } from "./calls.js";
import type { Device } from "./device.js";

/** What lives in a context knows of it. Context makes these objects, so none of them imports Context. */
export interface ContextHandle {
  readonly libcuda: Libcuda;
  readonly device: Device;
  /** CUDA's version number as the driver gives it. */
  readonly version: number;
  /** What was allocated through the driver object that made the context. */
  readonly allocations: Allocations;
  /** CUcontext, as a number. */
  readonly handle: number;
  readonly disposed: boolean;
  /** Makes it the current context, where another of ours was entered last. */
  enter(): void;
}

/** A stream as calls name it: ours, or one of a program's own. */
export interface StreamHandle {
  /** CUstream, as a number; 0 is the legacy default stream. */
  readonly handle: number;
}
