/// <reference lib="esnext.disposable" preserve="true" />
export type { Allocations, KnownAllocation } from "./allocations.js";
export type { Calls, Libcuda, Simulation } from "./calls.js";
export { check, DriverError } from "./check.js";
export { Context } from "./context.js";
export type { ContextHandle, StreamHandle } from "./context-handle.js";
export { copyBatch, copyBoxes, type BatchCopy, type BoxCopy } from "./batch-copy.js";
export {
  copy2D,
  copy3D,
  copyBytes,
  copyToPeer,
  type Box,
  type Copy,
  type CopySide,
  type StructuredCopy,
} from "./copy.js";
export { copyAnswers } from "./copy-answers.js";
export type { Device } from "./device.js";
export { Driver, openCuda, openSimulatedCuda, tryOpen, type Availability } from "./driver.js";
export { Event, type EventOptions } from "./event.js";
export { ExecutableGraph, Graph } from "./graph.js";
export { openSharedMemory, shareEvent, shareMemory } from "./ipc.js";
export { captureGraph, isCapturing } from "./capture.js";
export { Launch, type Extent3, type LaunchShape } from "./launch.js";
export type { Limit } from "./limit.js";
export {
  DeviceMemory,
  ManagedMemory,
  PinnedMemory,
  RegisteredMemory,
  SharedMemory,
  type DriverMemory,
} from "./memory.js";
export { LoadedKernel, Module } from "./module.js";
export { describePointer, type PointerFacts } from "./pointer.js";
export { profiled } from "./profiler.js";
export { sharedPages } from "./simulated/linux-pages.js";
export type { SharedPages } from "./simulated/shared-pages.js";
export type { SimulatedOptions } from "./simulated/options.js";
export { selfCheck, type SelfCheck } from "./self-check.js";
export { ForeignStream, OwnStream, Stream, writeWhenDone, type StreamOptions } from "./stream.js";
