import { check } from "./check.js";
import type { ContextHandle } from "./context-handle.js";
import type { Event } from "./event.js";
import { SharedMemory, type DeviceMemory } from "./memory.js";

const HANDLE_BYTES = 64;

/** A handle of 64 bytes by which another process of this machine can open the memory (cuIpcGetMemHandle). */
export function shareMemory(memory: Pick<DeviceMemory, "context" | "address">): Uint8Array {
  const { libcuda } = memory.context;
  const handle = new Uint8Array(HANDLE_BYTES);
  memory.context.enter();
  check(libcuda, "cuIpcGetMemHandle", libcuda.cuIpcGetMemHandle(handle, memory.address));
  return handle;
}

/**
 * Opens another process's device memory by its handle, on its device or on another that reaches it
 * (cuIpcOpenMemHandle). `sizeBytes` is the length that its owner tells. Throws a DriverError for a handle of no living
 * memory, and for one of this process: a process cannot open its own.
 */
export function openSharedMemory(context: ContextHandle, handle: Uint8Array, sizeBytes: number): SharedMemory {
  return new SharedMemory(context, handle, sizeBytes);
}

/**
 * A handle of 64 bytes by which another process can wait for the event. Throws a DriverError for an event that was not
 * made with `shared`.
 */
export function shareEvent(event: Event): Uint8Array {
  const { libcuda } = event.context;
  const handle = new Uint8Array(HANDLE_BYTES);
  event.context.enter();
  check(
    libcuda,
    "cuIpcGetEventHandle",
    libcuda.cuIpcGetEventHandle(handle, event.handle),
    "expected an event made with `shared`",
  );
  return handle;
}
