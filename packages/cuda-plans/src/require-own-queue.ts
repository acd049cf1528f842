import { BindingError, type Queue } from "@stowage/backend-api";
import type { Context, StreamHandle } from "@stowage/cuda-driver";

/**
 * Copies go to a stream of another device where launches do not: so it is asked before either. Throws a BindingError.
 */
export function requireOwnQueue(
  context: Context,
  queue: StreamHandle & Partial<Pick<Queue, "device">>,
  subject = "queue",
): void {
  const own = context.device.ordinal;
  if (queue.device === undefined || queue.device === own) return;
  throw new BindingError(subject, `a stream of device ${own}`, `one of device ${queue.device}`);
}
