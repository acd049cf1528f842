import { check, lossOf } from "./check.js";
import type { ContextHandle } from "./context-handle.js";

/**
 * Gives back what lives in a context. What outlives the context needs no call: the driver frees it with the device's
 * primary context, when its last holder goes. After a loss, which was thrown where it was met, every call gives the
 * same result: none of them is worth another error.
 */
export function release(context: ContextHandle, call: string, free: () => number): void {
  if (context.disposed) return;
  if (lossOf(context.libcuda) !== undefined) return void free();
  context.enter();
  check(context.libcuda, call, free());
}
