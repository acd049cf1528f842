import { int32, takeInt } from "./cells.js";
import { check } from "./check.js";
import type { ContextHandle, StreamHandle } from "./context-handle.js";

/** Whether work sent to a stream now is recorded into a graph instead of run. */
export function isCapturing(context: ContextHandle, stream: StreamHandle): boolean {
  const { libcuda } = context;
  context.enter();
  check(libcuda, "cuStreamIsCapturing", libcuda.cuStreamIsCapturing(stream.handle, int32));
  return takeInt() !== 0;
}
