import { check } from "./check.js";
import type { Context } from "./context.js";

/**
 * Gives back what lives in a context. What outlives the context needs no call: the driver frees it with the device's
 * primary context, when its last holder goes.
 */
export function release(context: Context, call: string, free: () => number): void {
  if (context.disposed) return;
  context.enter();
  check(context.libcuda, call, free());
}
