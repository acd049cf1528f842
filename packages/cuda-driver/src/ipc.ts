import { check } from "./check.js";
import type { ContextHandle } from "./context-handle.js";
import type { Event } from "./event.js";
import { SharedMemory, type DeviceMemory } from "./memory.js";

const HANDLE_BYTES = 64;

/** A handle by which another process of this machine can open the memory; 64 bytes to send over. */
export function shareMemory(memory: Pick<DeviceMemory, "context" | "address">): Uint8Array {
  const { libcuda } = memory.context;
  const handle = new Uint8Array(HANDLE_BYTES);
  memory.context.enter();
  check(libcuda, "cuIpcGetMemHandle", libcuda.cuIpcGetMemHandle(handle, memory.address));
  return handle;
}

/**
 * Opens another process's device memory, on its device or on another that reaches it; `sizeBytes` is what its owner
 * says of it. A process cannot open its own.
 */
export function openSharedMemory(context: ContextHandle, handle: Uint8Array, sizeBytes: number): SharedMemory {
  return new SharedMemory(context, handle, sizeBytes);
}

/** A handle by which another process can wait for the event, which must have been made with `shared`. */
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
